// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/transpose.h"

#include "kernels/cuda/launch_order.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// A block transposes a square through shared memory, so that loads and stores both cover whole cache lines.
// The padding puts the values of a column into different banks.
constexpr int square = 64, threads_across = 64, threads_down = 8;

__global__ __launch_bounds__(threads_across* threads_down) void transpose_kernel(ConstMatrix from, Matrix to,
                                                                                 unsigned blocks_down) {
  __shared__ float values[square][square + 1];
  const std::int64_t first_row = std::int64_t{blockIdx.x % blocks_down} * square,
                     first_col = std::int64_t{blockIdx.x / blocks_down} * square;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  wait_for_predecessor();
  const std::int64_t col = first_col + x;
#pragma unroll
  for (int i = y; i < square; i += threads_down) {
    const std::int64_t row = first_row + i;
    if (row < from.rows && col < from.cols) values[i][x] = from.as<float>()[row * from.ld + col];
  }
  __syncthreads();
  const std::int64_t row = first_row + x;
#pragma unroll
  for (int i = y; i < square; i += threads_down) {
    const std::int64_t to_row = first_col + i;
    if (to_row < from.cols && row < from.rows) to.as<float>()[to_row * to.ld + row] = values[x][i];
  }
}

}  // namespace

void transpose(const ConstMatrix& from, const Matrix& to, CudaStream& stream) {
  const auto blocks_down = static_cast<unsigned>(ceil_div(from.rows, std::int64_t{square}));
  const auto blocks_across = static_cast<unsigned>(ceil_div(from.cols, std::int64_t{square}));
  const dim3 grid(blocks_down * blocks_across);
  launch_early(transpose_kernel, "transpose_kernel", grid, dim3(threads_across, threads_down), stream, from,
               to, blocks_down);
}

}  // namespace breakeven
