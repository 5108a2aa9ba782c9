// SPDX-License-Identifier: Apache-2.0
// Brings each step's samples to the device. A resident data set needs no copies; a streamed one is copied
// from pinned memory with double buffering.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "kernels/device.h"
#include "src/data/dataset.h"

namespace breakeven::data {

class BatchFeeder {
 public:
  // For the rows [first_sample, first_sample + rows) of every global batch.
  BatchFeeder(Device& device, const Dataset& dataset, const MlpSettings& settings);

  // Device memory of streamed samples: two batches of these rows. Pinned memory takes the same again.
  static std::size_t staged_bytes(std::uint32_t rows, std::uint32_t inputs, std::uint32_t target_width) {
    return 2 * Dataset::bytes_of(rows, inputs, target_width);
  }

  // For Device::load_batch in every step.
  const BatchSource& source() const { return source_; }

  // For each step s = 0, 1, ...: call before_launch(s), enqueue the step, call after_launch(s).
  void before_launch(std::uint32_t step, Stream& stream);
  void after_launch(std::uint32_t step, Stream& stream);  // starts copying the next step's samples

 private:
  // Copies the step's samples to pinned memory and, on the copy stream, to the device.
  void stage(std::uint32_t step);

  struct Slot {
    std::unique_ptr<Event> copied;    // the samples are on the device; the pinned half may be written again
    std::unique_ptr<Event> consumed;  // the step has read them; the device's half may be written again
    bool used = false;
  };

  Device& device_;
  const Dataset& dataset_;
  BatchSource source_;
  std::uint32_t rows_;
  Buffer pinned_;
  Buffer staged_;
  std::unique_ptr<Stream> copy_stream_;
  std::array<Slot, 2> slots_;
};

}  // namespace breakeven::data
