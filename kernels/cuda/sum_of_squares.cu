// SPDX-License-Identifier: Apache-2.0
// The squared norm of a flat buffer, which tells two runs apart and a diverging one from a healthy one.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {
namespace {

constexpr int square_warps = 8;
constexpr int square_threads = 32 * square_warps;

__global__ __launch_bounds__(square_threads) void sum_of_squares_kernel(std::int64_t count,
                                                                        const float* values, bool vectorised,
                                                                        const StepState* state, double* sums,
                                                                        std::uint32_t slots,
                                                                        ReductionScratch scratch) {
  const std::int64_t first = 4 * (std::int64_t{blockIdx.x} * square_threads + threadIdx.x);
  const std::int64_t stride = 4 * std::int64_t{gridDim.x} * square_threads;
  double sum = 0;
  for (std::int64_t i = first; i < count; i += stride) {
    const Quad quad = load_quad(values + i, count - i, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) sum += static_cast<double>(quad.unit[j]) * quad.unit[j];
  }
  double total = 0;
  if (grid_sum<square_warps>(sum, scratch, &total)) sums[state->step % slots] = total;
}

}  // namespace

void CudaDevice::sum_of_squares(std::size_t count, const float* values, const StepState* state,
                                std::span<double> sums, Stream& stream) {
  const auto floats = static_cast<std::int64_t>(count);
  const unsigned blocks = blocks_for(floats, 4 * square_threads, max_sum_blocks);
  sum_of_squares_kernel<<<blocks, square_threads, 0, cuda_stream(stream)>>>(
      floats, values, on_border(values), state, sums.data(), static_cast<std::uint32_t>(sums.size()),
      reduction_scratch(stream));
  CHECK_LAUNCH("sum_of_squares_kernel", floats);
}

}  // namespace breakeven
