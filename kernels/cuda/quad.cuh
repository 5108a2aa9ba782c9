// SPDX-License-Identifier: Apache-2.0
// Quads: four consecutive values, which one thread loads, computes on as floats and stores at a time. One
// call of Philox yields the random numbers of a quad.
#pragma once

#include <cstdint>

#include "kernels/cuda/dtype.cuh"
#include "src/core/matrix.h"

namespace breakeven {

struct alignas(16) Quad {
  float unit[4];
};

// A quad as it is stored.
template <typename T>
struct alignas(4 * sizeof(T)) StoredQuad {
  T unit[4];
};

// Loads the quad at `from`, which is aligned to four values.
template <typename T>
__device__ Quad load_quad(const T* from) {
  Quad quad;
  const auto stored = *reinterpret_cast<const StoredQuad<T>*>(from);
#pragma unroll
  for (int i = 0; i < 4; ++i) quad.unit[i] = to_float(stored.unit[i]);
  return quad;
}

template <typename T>
__device__ void store_quad(T* to, const Quad& quad) {
  StoredQuad<T> stored;
#pragma unroll
  for (int i = 0; i < 4; ++i) stored.unit[i] = from_float<T>(quad.unit[i]);
  *reinterpret_cast<StoredQuad<T>*>(to) = stored;
}

// Loads the first min(4, left) values at `from`, followed by zeros. `vectorised` promises that `from` is
// aligned to four values.
template <typename T>
__device__ Quad load_quad(const T* from, std::int64_t left, bool vectorised) {
  if (vectorised && left >= 4) return load_quad(from);
  Quad quad{};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < left) quad.unit[i] = to_float(from[i]);
  }
  return quad;
}

template <typename T>
__device__ void store_quad(T* to, std::int64_t left, bool vectorised, const Quad& quad) {
  if (vectorised && left >= 4) {
    store_quad(to, quad);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < left) to[i] = from_float<T>(quad.unit[i]);
  }
}

// Whether all four values are finite when stored as T.
template <typename T>
__device__ bool stays_finite(const Quad& quad) {
  bool finite = true;
#pragma unroll
  for (int i = 0; i < 4; ++i) finite = finite && stays_finite<T>(quad.unit[i]);
  return finite;
}

inline bool on_border(const void* data, Dtype dtype = Dtype::fp32) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(4 * bytes_of(dtype)) == 0;
}

// Whether every row is aligned to four values.
inline bool on_border(const ConstMatrix& matrix) {
  return on_border(matrix.data, matrix.dtype) && matrix.ld % 4 == 0;
}

// Threads over the quads of a matrix: 32 x 8 per block, x along the rows. A grid has at most 65535 blocks in
// y, so threads stride over rows: for (row = quad_row(); row < rows; row += quad_rows()).
constexpr unsigned quad_block_x = 32;
constexpr unsigned quad_block_y = 8;

inline dim3 quad_block() { return dim3(quad_block_x, quad_block_y); }

inline dim3 quad_grid(std::int64_t rows, std::int64_t cols) {
  const std::int64_t across = (cols + 4 * quad_block_x - 1) / (4 * quad_block_x);
  const std::int64_t down = (rows + quad_block_y - 1) / quad_block_y;
  return dim3(static_cast<unsigned>(across), static_cast<unsigned>(down < 65535 ? down : 65535));
}

__device__ inline std::int64_t quad_row() { return std::int64_t{blockIdx.y} * quad_block_y + threadIdx.y; }
__device__ inline std::int64_t quad_rows() { return std::int64_t{gridDim.y} * quad_block_y; }
__device__ inline std::int64_t quad_col() {
  return 4 * (std::int64_t{blockIdx.x} * quad_block_x + threadIdx.x);
}

// The number of blocks, at most `most`, of a grid whose threads stride over their work.
inline unsigned blocks_for(std::int64_t work, std::int64_t work_per_block, std::int64_t most) {
  const std::int64_t blocks = (work + work_per_block - 1) / work_per_block;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

}  // namespace breakeven
