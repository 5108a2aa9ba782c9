// SPDX-License-Identifier: Apache-2.0
// Views of device memory, for both devices. They do not own it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/core/cuda_qualifiers.h"
#include "src/core/precision.h"

namespace breakeven {

// Row-major, `ld` elements from one row to the next (ld >= cols).
struct Matrix {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 0;
  Dtype dtype = Dtype::fp32;

  template <typename T>
  HOST_DEVICE T* as() const {
    return static_cast<T*>(data);
  }
  HOST_DEVICE float* floats() const { return as<float>(); }
};

struct ConstMatrix {
  const void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 0;
  Dtype dtype = Dtype::fp32;

  ConstMatrix() = default;
  ConstMatrix(const void* d, std::int64_t r, std::int64_t c, std::int64_t l, Dtype e = Dtype::fp32)
      : data(d), rows(r), cols(c), ld(l), dtype(e) {}
  ConstMatrix(const Matrix& m)
      : data(m.data), rows(m.rows), cols(m.cols), ld(m.ld), dtype(m.dtype) {}  // NOLINT: every Matrix is one

  template <typename T>
  HOST_DEVICE const T* as() const {
    return static_cast<const T*>(data);
  }
  HOST_DEVICE const float* floats() const { return as<float>(); }
};

// Where a matrix begins in a larger one.
struct Origin {
  std::uint32_t row = 0;
  std::uint32_t col = 0;
};

// Rows start on 16-byte borders for every dtype, so that vector loads and asynchronous copies work for
// every width, and an fp32 matrix and its 16-bit copy have the same leading dimension. The padding holds
// zeros and stays zero.
HOST_DEVICE std::int64_t padded_width(std::int64_t cols) { return (cols + 7) / 8 * 8; }

}  // namespace breakeven
