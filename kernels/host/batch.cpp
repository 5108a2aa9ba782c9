// SPDX-License-Identifier: Apache-2.0
// Loads a step's rows of the data set: gathered in shuffled order, or copied from where the host has staged
// them.
#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"
#include "kernels/sample_order.h"

namespace breakeven {
namespace {

void copy_row(const ConstMatrix& from, std::int64_t from_row, const Matrix& to, std::int64_t to_row,
              RowBuffer& buffer) {
  store_row(read_row(from, from_row, buffer), to, to_row);
}

}  // namespace

void HostDevice::load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                            Stream& /*stream*/) {
  const auto samples = static_cast<std::uint32_t>(source.features.rows);
  const std::uint64_t first = std::uint64_t{state->step} * source.global_batch + source.first_sample;
  const std::int64_t half = state->step % 2 * (source.features.rows / 2);
  RowBuffer buffer;
  for (std::int64_t row = 0; row < features.rows; ++row) {
    const std::int64_t place =
        source.staged ? half + row : sample_at(source.seed, first + static_cast<std::uint64_t>(row), samples);
    copy_row(source.features, place, features, row, buffer);
    copy_row(source.targets, place, target, row, buffer);
  }
}

}  // namespace breakeven
