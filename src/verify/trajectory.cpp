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

Trajectory train(const Case& what, Workbench& bench) {
  Device& device = bench.device();
  const std::uint32_t steps = bench.options().warmup + bench.options().steps;
  ReplicaSettings settings = bench.settings_for(what, steps);
  settings.keep_gradients = true;
  const DataPlace place = what.data == "streamed" ? DataPlace::streamed : DataPlace::resident;
  Training training(device, *find_strategy(what.strategy), bench.communicator(what.collective, what.gpus),
                    bench.dataset(settings.shape, place), settings);
  Replica& replica = training.replica();
  Stream& stream = training.stream();
  // The step has ended when its gradient is looked at, so its sum lies in the slot of the step after it.
  const Buffer squares(device, (steps + 1) * sizeof(double), false, "squares of the gradient");
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (step == 1 && what.graph) training.capture(1, {});
    training.launch(1, {});
    device.sum_of_squares(replica.gradients().size(), replica.gradients().data(), replica.step_state(),
                          {squares.as<double>(), steps + 1}, stream);
  }
  Trajectory trajectory;
  for (const float loss : download(device, replica.losses(), stream)) trajectory.losses.push_back(loss);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, trajectory.losses.data(), static_cast<int>(steps), MPI_DOUBLE, MPI_SUM,
                         bench.group(what.gpus)));
  for (const double sum : download(device, std::span(squares.as<double>() + 1, steps), stream)) {
    trajectory.gradient_norms.push_back(std::sqrt(sum));
  }
  trajectory.parameters = download(device, replica.parameters(), stream);
  return trajectory;
}

}  // namespace breakeven
