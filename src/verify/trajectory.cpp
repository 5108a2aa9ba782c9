// SPDX-License-Identifier: Apache-2.0
#include "src/verify/trajectory.h"

#include <cmath>

#include "mpi/mpi_call.h"
#include "src/train/training.h"

namespace breakeven {
namespace {

template <typename T>
std::vector<T> download(Device& device, const T* from, std::size_t count, Stream& stream) {
  std::vector<T> values(count);
  device.copy(values.data(), from, count * sizeof(T), stream);
  stream.synchronize();
  return values;
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
  std::vector<std::unique_ptr<Replica>> replicas;
  for (int rank = 0; rank < what.gpus; ++rank) {
    settings.first_sample = shard_of(what.batch, rank, what.gpus).first_sample;
    replicas.push_back(std::make_unique<Replica>(device, settings, *stream));
  }
  const std::span<float> sum = replicas.front()->gradients();
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (const auto& replica : replicas) {
      const ReplicaSettings& mine = replica->settings();
      replica->load_batch(
          {dataset.features(), dataset.targets(), mine.seed, mine.global_batch, mine.first_sample}, *stream);
      replica->forward(*stream);
      replica->backward([](std::size_t) {}, *stream);
      // A descent by rate -1 is an addition.
      if (replica != replicas.front()) {
        device.sgd(sum.size(), replica->gradients().data(), -1.0f, replica->step_state(), sum.data(), nullptr,
                   Element::fp32, *stream);
      }
    }
    for (const auto& replica : replicas) {
      if (replica != replicas.front()) {
        device.copy(replica->gradients().data(), sum.data(), sum.size_bytes(), *stream);
      }
      replica->update(*stream);
    }
  }
  Trajectory trajectory;
  trajectory.parameters = download(device, replicas.front()->parameters().data(), sum.size(), *stream);
  return trajectory;
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
    if (step == 1 && what.graph) training.capture_step({});
    training.step({});
    device.sum_of_squares(replica.gradients().size(), replica.gradients().data(), replica.step_state(),
                          {squares.as<double>(), steps + 1}, stream);
  }
  Trajectory trajectory;
  for (const float loss : download(device, replica.losses().data(), steps, stream))
    trajectory.losses.push_back(loss);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, trajectory.losses.data(), static_cast<int>(steps), MPI_DOUBLE, MPI_SUM,
                         bench.group(what.gpus)));
  for (const double sum : download(device, squares.as<double>() + 1, steps, stream)) {
    trajectory.gradient_norms.push_back(std::sqrt(sum));
  }
  trajectory.parameters = download(device, replica.parameters().data(), replica.parameters().size(), stream);
  return trajectory;
}

}  // namespace breakeven
