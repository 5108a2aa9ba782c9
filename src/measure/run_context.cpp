// SPDX-License-Identifier: Apache-2.0
#include "src/measure/run_context.h"

#include <algorithm>

#include "mpi/transports.h"
#include "src/core/model/model_shape.h"
#include "src/core/records/run_record.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/kept_activations.h"
#include "src/data/batch_feeder.h"
#include "src/measure/clocks.h"
#include "src/train/training.h"

namespace breakeven::measure {
namespace {

// NCCL connects at the first call.
void call_once(Communicator& communicator, Device& device) {
  const std::unique_ptr<Stream> stream = device.make_stream();
  const Buffer one(device, sizeof(float), false, "first call of a communicator");
  device.fill_zero(one.as<>(), one.bytes(), *stream);
  communicator.all_reduce_sum(one.as<float>(), 1, *stream);
  stream->synchronize();
}

}  // namespace

RunContext::RunContext(const Session& session, Device& device, const RunOptions& options,
                       const data::DatasetFile* dataset)
    : created_(host_seconds()),
      session_(session),
      device_(device),
      options_(options),
      dataset_file_(dataset),
      monitor_(device.info().uuid) {}

MPI_Comm RunContext::group(int count) {
  const auto known = groups_.find(count);
  if (known != groups_.end()) return known->second;
  return groups_[count] = session_.first_ranks(count);
}

Communicator* RunContext::communicator(Transport transport, int count) {
  if (transport == Transport::none) return nullptr;
  std::unique_ptr<Communicator>& place = communicators_[{transport, count}];
  if (place == nullptr) {
    const double start = host_seconds();
    place = make_communicator(transport, group(count), device_);
    call_once(*place, device_);
    connect_seconds_[{transport, count}] = host_seconds() - start;
  }
  return place.get();
}

double RunContext::connect_seconds(Transport transport, int count) const {
  const auto known = connect_seconds_.find({transport, count});
  return known != connect_seconds_.end() ? known->second : not_measured;
}

ClockOffset RunContext::offset_to_launch(int ranks) {
  ClockOffset offset = measure_clock_offset(group(ranks), [this] { return host_seconds() - created_; });
  offset.seconds -= created_;
  return offset;
}

const data::Dataset& RunContext::dataset(const ModelShape& shape, DataPlacement place) {
  std::unique_ptr<data::Dataset>& known = datasets_[{shape.name, place}];
  if (known == nullptr) {
    known = dataset_file_ != nullptr
                ? std::make_unique<data::Dataset>(device_, dataset_file_->training, place)
                : std::make_unique<data::Dataset>(device_, shape, options_.samples, options_.seed, place);
  }
  return *known;
}

MemoryNeed RunContext::memory_need(const Case& what, int rank) const {
  const StrategyChoice strategy = strategy_of_case(what);
  const MlpSettings settings =
      with_kept_activations(strategy.options, settings_for(what, options_.warmup + options_.steps));
  const std::uint32_t inputs = settings.shape.inputs();
  const data::SampleTable* table = dataset_file_ != nullptr ? &dataset_file_->training : nullptr;
  const std::uint32_t target_width = table != nullptr ? table->target_width : settings.shape.outputs();
  MemoryNeed need = strategy.info->memory_need(strategy.options, settings, rank, what.gpus);
  if (what.data == DataPlacement::streamed) {
    need.staged = data::BatchFeeder::staged_bytes(settings.rows, inputs, target_width);
  } else {
    need.samples =
        data::Dataset::bytes_of(table != nullptr ? table->samples : options_.samples, inputs, target_width);
  }
  return need;
}

MlpSettings RunContext::settings_for(const Case& what, std::uint32_t total_steps) const {
  MlpSettings settings = mlp_of_case(what, session_.rank());
  settings.loss = dataset_file_ != nullptr ? dataset_file_->loss : LossKind::mean_squared_error;
  settings.optimizer = options_.optimizer;
  settings.adam.learning_rate = options_.learning_rate;
  settings.seed = options_.seed;
  settings.gemm = what.gemm.value();
  settings.total_steps = total_steps;
  return settings;
}

}  // namespace breakeven::measure
