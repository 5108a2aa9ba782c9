// SPDX-License-Identifier: Apache-2.0
// Makes rows orthonormal by the rules of orthonormal.h.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/reduction.cuh"
#include "kernels/orthonormal.h"

namespace breakeven {
namespace {

constexpr int block_warps = 32;
constexpr int block_threads = 32 * block_warps;
constexpr std::size_t most_matrices = 16;  // per launch: they are kernel arguments

struct Matrices {
  Matrix matrix[most_matrices];
};

// Each thread owns the columns threadIdx.x, threadIdx.x + block_threads, ... of all rows: it reads only what
// it wrote, and only sums are shared.
__device__ double block_dot(const float* a, const float* b, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += block_threads) sum += static_cast<double>(a[i]) * b[i];
  return block_reduce<block_warps>(sum, Add{});
}

// Subtracts from row `row` its components along the previous rows; returns the square of what is left.
__device__ double lose_directions(const Matrix& matrix, std::int64_t row) {
  float* const mine = matrix.floats() + row * matrix.ld;
  for (std::int64_t before = 0; before < row; ++before) {
    const float* const other = matrix.floats() + before * matrix.ld;
    const auto share = static_cast<float>(block_dot(mine, other, matrix.cols));
    for (std::int64_t i = threadIdx.x; i < matrix.cols; i += block_threads) mine[i] -= share * other[i];
  }
  return block_dot(mine, mine, matrix.cols);
}

// Replaces the row by the first unit vector that keeps enough, and does the same.
__device__ double take_unit_vector(const Matrix& matrix, std::int64_t row) {
  float* const mine = matrix.floats() + row * matrix.ld;
  double square = 0;
  for (std::int64_t unit = 0; unit <= row && !keeps_enough(square, row); ++unit) {
    for (std::int64_t i = threadIdx.x; i < matrix.cols; i += block_threads) mine[i] = i == unit ? 1.0f : 0.0f;
    square = lose_directions(matrix, row);
  }
  return square;
}

// One block per matrix: the rows depend on each other.
__global__ __launch_bounds__(block_threads) void orthonormalise_kernel(Matrices matrices) {
  const Matrix& matrix = matrices.matrix[blockIdx.x];
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    float* const mine = matrix.floats() + row * matrix.ld;
    const double before = block_dot(mine, mine, matrix.cols);
    double square = lose_directions(matrix, row);
    if (nothing_is_left(before, square)) square = take_unit_vector(matrix, row);
    const auto factor = static_cast<float>(1 / sqrt(square));
    for (std::int64_t i = threadIdx.x; i < matrix.cols; i += block_threads) mine[i] *= factor;
  }
}

}  // namespace

void CudaDevice::orthonormalise_rows(std::span<const Matrix> matrices, Stream& stream) {
  while (!matrices.empty()) {
    const std::size_t count = std::min(matrices.size(), most_matrices);
    Matrices now{};
    std::copy_n(matrices.begin(), count, now.matrix);
    orthonormalise_kernel<<<static_cast<unsigned>(count), block_threads, 0, cuda_stream(stream)>>>(now);
    CHECK_LAUNCH("orthonormalise_kernel", static_cast<std::int64_t>(count), now.matrix[0].rows,
                 now.matrix[0].cols);
    matrices = matrices.subspan(count);
  }
}

}  // namespace breakeven
