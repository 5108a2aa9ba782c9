// SPDX-License-Identifier: Apache-2.0
#include "src/data/batch_feeder.h"

#include <cstring>
#include <thread>

#include "kernels/sample_order.h"

namespace breakeven::data {

BatchFeeder::BatchFeeder(Device& device, const Dataset& dataset, const MlpSettings& settings)
    : device_(device), dataset_(dataset), rows_(settings.rows) {
  source_ = {.features = dataset.features(),
             .targets = dataset.targets(),
             .seed = settings.seed,
             .global_batch = settings.global_batch,
             .first_sample = settings.first_sample,
             .staged = dataset.place() == DataPlacement::streamed};
  if (!source_.staged) return;
  const std::int64_t features_ld = dataset.features().ld;
  const std::int64_t targets_ld = dataset.targets().ld;
  const std::size_t bytes = staged_bytes(rows_, static_cast<std::uint32_t>(dataset.features().cols),
                                         static_cast<std::uint32_t>(dataset.targets().cols));
  pinned_ = Buffer(device, bytes, true, "pinned batches");
  staged_ = Buffer(device, bytes, false, "staged batches");
  source_.features = {staged_.as<>(), 2 * rows_, dataset.features().cols, features_ld};
  source_.targets = {staged_.as<>() + 2 * rows_ * features_ld, 2 * rows_, dataset.targets().cols, targets_ld};
  copy_stream_ = device.make_stream();
  for (Slot& slot : slots_) {
    slot.copied = device.make_event();
    slot.consumed = device.make_event();
  }
}

void BatchFeeder::stage(std::uint32_t step) {
  Slot& slot = slots_[step % 2];
  if (slot.used) {
    while (!slot.copied->reached()) std::this_thread::yield();
    copy_stream_->wait_for(*slot.consumed);
  }
  const auto stage_matrix = [&](const ConstMatrix& samples, std::int64_t offset) {
    const std::size_t row_bytes = static_cast<std::size_t>(samples.ld) * sizeof(float);
    const std::int64_t half = offset + (step % 2) * rows_ * samples.ld;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      const std::uint64_t position = std::uint64_t{step} * source_.global_batch + source_.first_sample + row;
      const std::int64_t sample = sample_at(source_.seed, position, dataset_.samples());
      std::memcpy(pinned_.as<>() + half + row * samples.ld, samples.floats() + sample * samples.ld,
                  row_bytes);
    }
    device_.copy(staged_.as<>() + half, pinned_.as<>() + half, rows_ * row_bytes, *copy_stream_);
  };
  stage_matrix(dataset_.features(), 0);
  stage_matrix(dataset_.targets(), std::int64_t{2} * rows_ * dataset_.features().ld);
  slot.copied->record(*copy_stream_);
  slot.used = true;
}

void BatchFeeder::before_launch(std::uint32_t step, Stream& stream) {
  if (!source_.staged) return;
  if (step == 0) stage(0);
  stream.wait_for(*slots_[step % 2].copied);
}

void BatchFeeder::after_launch(std::uint32_t step, Stream& stream) {
  if (!source_.staged) return;
  slots_[step % 2].consumed->record(stream);
  stage(step + 1);
}

}  // namespace breakeven::data
