// SPDX-License-Identifier: Apache-2.0
#include "src/verify/trajectory.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/device.h"
#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/pieces.h"
#include "src/train/trained_weights.h"
#include "src/train/training.h"

namespace breakeven::verify {
namespace {

// This rank's part of the squared norm of the global batch's gradient, for every step.
class SquaresOfGradient {
 public:
  SquaresOfGradient(Device& device, train::Training& training, std::uint32_t steps)
      : device_(device), training_(training), steps_(steps) {
    for (std::size_t part = 0; part < parts(0).size(); ++part) {
      sums_.emplace_back(device, (steps + 1) * sizeof(double), false, "squares of the gradient");
    }
  }

  // The step has ended when its gradient is read, so its sum is stored in the slot of the next step.
  void add_step() {
    const std::vector<std::span<const float>> gradients = parts(training_.last_kind());
    for (std::size_t part = 0; part < sums_.size(); ++part) {
      const std::span<const float> values = gradients[part];
      device_.sum_of_squares(values.size(), values.data(), training_.mlp().step_state(),
                             {sums_[part].as<double>(), steps_ + 1}, training_.stream());
    }
  }

  std::vector<double> download_all() {
    std::vector<double> squares(steps_);
    for (const Buffer& sums : sums_) {
      const auto part = download(device_, std::span(sums.as<double>() + 1, steps_), training_.stream());
      std::ranges::transform(squares, part, squares.begin(), std::plus<>());
    }
    for (double& sum : squares) sum *= training_.mlp().settings().share;
    return squares;
  }

 private:
  std::vector<std::span<const float>> parts(std::uint32_t kind) {
    return training_.strategy().own_gradients(training_.mlp(), kind);
  }

  Device& device_;
  train::Training& training_;
  std::uint32_t steps_;
  std::vector<Buffer> sums_;
};

void sum_over_ranks(std::vector<double>& values, MPI_Comm group) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                         group));
}

// On rank 0 the rank's `mine`, else empty.
std::vector<float> send_to_root(const std::vector<float>& mine, int rank, MPI_Comm group) {
  const int own = rank_in(group);
  if (rank == 0) return own == 0 ? mine : std::vector<float>{};
  std::vector<float> received(own == 0 ? mine.size() : 0);
  for_each_piece(mine.size(), [&](std::size_t offset, int floats) {
    if (own == rank) MPI_CALL(MPI_Send(mine.data() + offset, floats, MPI_FLOAT, 0, 0, group));
    if (own == 0)
      MPI_CALL(MPI_Recv(received.data() + offset, floats, MPI_FLOAT, rank, 0, group, MPI_STATUS_IGNORE));
  });
  return received;
}

// Every rank's updates, on all of them.
ServedOrder gather_order(const strategy::Strategy& strategy, const Case& what, MPI_Comm group) {
  const std::span<const strategy::ServedUpdate> mine = strategy.served_updates();
  if (mine.empty()) return {};
  static_assert(sizeof(strategy::ServedUpdate) == 3 * sizeof(std::uint64_t));
  const int numbers = static_cast<int>(3 * mine.size());
  std::vector<strategy::ServedUpdate> all(mine.size() * static_cast<std::size_t>(what.gpus));
  MPI_CALL(MPI_Allgather(mine.data(), numbers, MPI_UINT64_T, all.data(), numbers, MPI_UINT64_T, group));
  ServedOrder order(static_cast<std::size_t>(what.gpus));
  auto update = all.begin();
  for (int rank = 0; rank < what.gpus; ++rank) {
    for (const std::vector<float>& read : strategy.served_reads())
      order[static_cast<std::size_t>(rank)].push_back({*update++, send_to_root(read, rank, group)});
  }
  return order;
}

std::vector<float> gather_parameters(Device& device, train::Training& training, const ModelShape& shape) {
  const std::size_t floats = ParameterLayout(shape).floats();
  const Buffer whole(device, floats * sizeof(float), false, "whole model's parameters");
  training.strategy().gather_parameters(training.mlp(), {whole.as<>(), floats}, training.stream());
  return download(device, std::span(whole.as<>(), floats), training.stream());
}

}  // namespace

Trajectory train(const Case& what, measure::RunContext& context) {
  return train(what, context, strategy_of_case(what),
               context.communicator(what.transport.value(), what.gpus));
}

Trajectory train(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                 Communicator* communicator) {
  return train(what, context, strategy, communicator, context.settings_for(what, all_steps(context)));
}

std::uint32_t all_steps(const measure::RunContext& context) {
  return context.options().warmup + context.options().steps;
}

Trajectory train(const Case& what, measure::RunContext& context, const StrategyChoice& strategy,
                 Communicator* communicator, MlpSettings settings) {
  Device& device = context.device();
  const std::uint32_t steps = settings.total_steps;
  settings.keep_evidence = true;
  const DataPlacement place =
      what.data == DataPlacement::streamed ? DataPlacement::streamed : DataPlacement::resident;
  train::Training training(device, strategy, communicator, context.dataset(settings.shape, place), settings);
  SquaresOfGradient squares(device, training, steps);
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (step == 1 && what.graph) training.capture(1, {});
    training.launch(1, {});
    squares.add_step();
  }
  Trajectory trajectory;
  for (const float loss : training.loss_shares(0, steps)) trajectory.losses.push_back(loss);
  sum_over_ranks(trajectory.losses, context.group(what.gpus));
  trajectory.gradient_norms = squares.download_all();
  sum_over_ranks(trajectory.gradient_norms, context.group(what.gpus));
  for (double& norm : trajectory.gradient_norms) norm = std::sqrt(norm);
  trajectory.served = gather_order(training.strategy(), what, context.group(what.gpus));
  if (const auto arrived = training.strategy().updates_arrived())
    trajectory.updates_uncounted = static_cast<double>(steps) * what.gpus - static_cast<double>(*arrived);
  trajectory.whole_steps = training.makes_whole_steps();
  trajectory.weights_checksum = train::weights_checksum(training, device);
  trajectory.parameters = gather_parameters(device, training, settings.shape);
  if (communicator != nullptr) communicator->check();  // a rank that did not answer is no wrong number
  return trajectory;
}

double mean_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i]) - b[i]);
  return sum / static_cast<double>(a.size());
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

double norm(const std::vector<float>& values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

double relative_frobenius(const std::vector<float>& reference, const std::vector<float>& values) {
  return distance(reference, values) / norm(reference);
}

}  // namespace breakeven::verify
