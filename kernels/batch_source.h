// SPDX-License-Identifier: Apache-2.0
// Which rows of a data set make up this device's part of a step's batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/core/matrix.h"

namespace breakeven {

struct BatchSource {
  ConstMatrix features;    // [samples, in], or [2 * rows, in] if staged
  ConstMatrix targets;     // [samples, out] values, or [samples, 1] class numbers
  std::uint64_t seed = 0;  // of the order of samples (sample_order.h)
  std::uint32_t global_batch = 0;
  std::uint32_t first_sample = 0;  // place of this device's first row in the global batch
  bool staged = false;             // the host has already copied the rows of step s into half s % 2
};

// The same source without this device's first `first_row` rows.
inline BatchSource rows_from(BatchSource source, std::uint32_t first_row) {
  source.first_sample += first_row;
  if (!source.staged) return source;
  for (ConstMatrix* matrix : {&source.features, &source.targets}) {
    const std::int64_t skipped = first_row * matrix->ld * bytes_of(matrix->dtype);
    matrix->data = static_cast<const std::byte*>(matrix->data) + skipped;
  }
  return source;
}

}  // namespace breakeven
