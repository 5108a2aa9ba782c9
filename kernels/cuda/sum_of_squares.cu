// SPDX-License-Identifier: Apache-2.0
// The squared norm of a flat buffer, and the total of several.
#include <cfloat>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/loss_scale.cuh"
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

// One thread: `parts` has one or a few values per rank.
__global__ void total_of_squares_kernel(const double* parts, std::size_t count, double* sum,
                                        StepState* state) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += parts[i];
  *sum = total;
  tell_overflow(state, !(total <= DBL_MAX));
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

void CudaDevice::total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                                  Stream& stream) {
  total_of_squares_kernel<<<1, 1, 0, cuda_stream(stream)>>>(parts.data(), parts.size(), sum, state);
  CHECK_LAUNCH("total_of_squares_kernel", static_cast<std::int64_t>(parts.size()));
}

}  // namespace breakeven
