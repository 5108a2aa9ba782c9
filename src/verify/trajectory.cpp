// SPDX-License-Identifier: Apache-2.0
#include "src/verify/trajectory.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "mpi/mpi_call.h"
#include "src/train/download.h"
#include "src/train/training.h"

namespace breakeven {
namespace {

using Replicas = std::vector<std::unique_ptr<Replica>>;

void make_gradient(Replica& replica, const Dataset& dataset, Stream& stream) {
  const ReplicaSettings& mine = replica.settings();
  replica.load_batch({dataset.features(), dataset.targets(), mine.seed, mine.global_batch, mine.first_sample},
                     stream);
  replica.forward(stream);
  replica.backward([](std::size_t) {}, stream);
}

// Every replica gets the sum in rank order, as an all-reduce gives it: with whatever has overflowed in it, so
// that all of them skip the step.
void add_gradients(Device& device, const Replicas& replicas, Stream& stream) {
  const std::span<float> sum = replicas.front()->gradients();
  for (std::size_t rank = 1; rank < replicas.size(); ++rank) {
    device.add(sum.size(), replicas[rank]->gradients().data(), sum.data(), stream);
  }
  for (std::size_t rank = 1; rank < replicas.size(); ++rank) {
    device.copy(replicas[rank]->gradients().data(), sum.data(), sum.size_bytes(), stream);
  }
}

}  // namespace

Case single_device_case(const Case& what) {
  Case single = what;
  single.gpus = 1;
  single.strategy = "single";
  single.collective = "none";
  single.graph = false;
  single.data = "resident";
  return single;
}

Trajectory train_in_shards(const Case& what, Workbench& bench) {
  Device& device = bench.device();
  const std::uint32_t steps = bench.options().warmup + bench.options().steps;
  ReplicaSettings settings = bench.settings_for(what, steps);
  const Dataset& dataset = bench.dataset(settings.shape, DataPlace::resident);
  const std::unique_ptr<Stream> stream = device.make_stream();
  Replicas replicas;
  for (int rank = 0; rank < what.gpus; ++rank) {
    settings.first_sample = shard_of(what.batch, rank, what.gpus).first_sample;
    replicas.push_back(std::make_unique<Replica>(device, settings, *stream));
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (const auto& replica : replicas) make_gradient(*replica, dataset, *stream);
    add_gradients(device, replicas, *stream);
    for (const auto& replica : replicas) replica->update(*stream);
  }
  Trajectory trajectory;
  trajectory.losses.resize(steps);
  for (const auto& replica : replicas) {
    const std::vector<float> losses = download(device, replica->losses(), *stream);
    std::transform(losses.begin(), losses.end(), trajectory.losses.begin(), trajectory.losses.begin(),
                   std::plus<>());
  }
  trajectory.parameters = download(device, replicas.front()->parameters(), *stream);
  return trajectory;
}

References train_references(const Case& what, Workbench& bench) {
  Case other_order = what;
  other_order.gpus = what.gpus == 1 && what.batch % 2 == 0 ? 2 : 1;
  Case fp32 = what;
  fp32.precision = "fp32";
  const std::span<const GemmKernel> in_fp32 = bench.device().gemm_kernels(Precision::fp32);
  if (std::ranges::find(in_fp32, *find_gemm_kernel(what.gemm)) == in_fp32.end()) {
    fp32.gemm = name_of(in_fp32.front());
  }
  References references{train(single_device_case(what), bench),
                        train_in_shards(what, bench),
                        train_in_shards(other_order, bench),
                        {}};
  references.fp32 = what.precision == "fp32" ? references.shards : train_in_shards(fp32, bench);
  return references;
}

namespace {

// The squares of the global batch's gradient in every step, of this rank's part of it.
class SquaresOfGradient {
 public:
  SquaresOfGradient(Device& device, Training& training, std::uint32_t steps)
      : device_(device), training_(training), steps_(steps) {
    for (std::size_t part = 0; part < parts().size(); ++part) {
      sums_.emplace_back(device, (steps + 1) * sizeof(double), false, "squares of the gradient");
    }
  }

  // The step has ended when its gradient is looked at, so its sum lies in the slot of the step after it.
  void add_step() {
    for (std::size_t part = 0; part < sums_.size(); ++part) {
      const std::span<const float> values = parts()[part];
      device_.sum_of_squares(values.size(), values.data(), training_.replica().step_state(),
                             {sums_[part].as<double>(), steps_ + 1}, training_.stream());
    }
  }

  std::vector<double> download_all() {
    std::vector<double> squares(steps_);
    for (const Buffer& sums : sums_) {
      const auto part = download(device_, std::span(sums.as<double>() + 1, steps_), training_.stream());
      std::ranges::transform(squares, part, squares.begin(), std::plus<>());
    }
    return squares;
  }

 private:
  std::vector<std::span<const float>> parts() {
    return training_.strategy().own_gradients(training_.replica());
  }

  Device& device_;
  Training& training_;
  std::uint32_t steps_;
  std::vector<Buffer> sums_;
};

void sum_over_ranks(std::vector<double>& values, MPI_Comm group) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                         group));
}

std::vector<float> gather_parameters(Device& device, Training& training, const ModelShape& shape) {
  const std::size_t floats = ParameterLayout(shape).floats();
  const Buffer whole(device, floats * sizeof(float), false, "whole model's parameters");
  training.strategy().gather_parameters(training.replica(), {whole.as<>(), floats}, training.stream());
  return download(device, std::span(whole.as<>(), floats), training.stream());
}

}  // namespace

Trajectory train(const Case& what, Workbench& bench) {
  Device& device = bench.device();
  const std::uint32_t steps = bench.options().warmup + bench.options().steps;
  ReplicaSettings settings = bench.settings_for(what, steps);
  settings.keep_gradients = true;
  const DataPlace place = what.data == "streamed" ? DataPlace::streamed : DataPlace::resident;
  Training training(device, strategy_of_case(what), bench.communicator(what.collective, what.gpus),
                    bench.dataset(settings.shape, place), settings);
  SquaresOfGradient squares(device, training, steps);
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (step == 1 && what.graph) training.capture(1, {});
    training.launch(1, {});
    squares.add_step();
  }
  Trajectory trajectory;
  for (const float loss : download(device, training.replica().losses(), training.stream()))
    trajectory.losses.push_back(loss);
  sum_over_ranks(trajectory.losses, bench.group(what.gpus));
  trajectory.gradient_norms = squares.download_all();
  sum_over_ranks(trajectory.gradient_norms, bench.group(what.gpus));
  for (double& norm : trajectory.gradient_norms) norm = std::sqrt(norm);
  trajectory.parameters = gather_parameters(device, training, settings.shape);
  return trajectory;
}

}  // namespace breakeven
