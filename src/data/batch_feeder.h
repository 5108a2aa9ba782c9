// SPDX-License-Identifier: Apache-2.0
// Brings each step's samples to the device: nothing to do where the set is resident, double-buffered copies
// from pinned memory where it is streamed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "kernels/device.h"
#include "src/data/dataset.h"

namespace breakeven {

class BatchFeeder {
 public:
  // The rows [first_sample, first_sample + rows) of every global batch.
  BatchFeeder(Device& device, const Dataset& dataset, const MlpSettings& settings);

  // What streamed samples take on the device, and in pinned memory as much again: two batches of these rows.
  static std::size_t staged_bytes(std::uint32_t rows, std::uint32_t inputs, std::uint32_t target_width) {
    return 2 * Dataset::bytes_of(rows, inputs, target_width);
  }

  // What Device::load_batch reads in every step.
  const BatchSource& source() const { return source_; }

  // Called in this order for each step s = 0, 1, ...: before_launch(s), the step is enqueued,
  // after_launch(s).
  void before_launch(std::uint32_t step, Stream& stream);
  void after_launch(std::uint32_t step, Stream& stream);  // starts on the samples of the next step

 private:
  // The step's samples into pinned memory and on to the device, on the copy stream.
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

}  // namespace breakeven
