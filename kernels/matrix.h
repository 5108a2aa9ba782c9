// SPDX-License-Identifier: Apache-2.0
// Views of device memory: they do not own, and both devices use the same ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/portable.h"

namespace breakeven {

// Row-major, `ld` elements from one row to the next (ld >= cols).
struct Matrix {
  float* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 0;
};

struct ConstMatrix {
  const float* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 0;
  ConstMatrix() = default;
  ConstMatrix(const float* d, std::int64_t r, std::int64_t c, std::int64_t l)
      : data(d), rows(r), cols(c), ld(l) {}
  ConstMatrix(const Matrix& m)
      : data(m.data), rows(m.rows), cols(m.cols), ld(m.ld) {}  // NOLINT: every Matrix is one
};

// Rows start on 16-byte borders, so that vector loads and asynchronous copies work for every width; the
// padding holds zeros and stays zero.
BREAKEVEN_PORTABLE std::int64_t padded_width(std::int64_t cols) { return (cols + 3) / 4 * 4; }

}  // namespace breakeven
