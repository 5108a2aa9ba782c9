// SPDX-License-Identifier: Apache-2.0
// Adds flat buffers: one to another, and those of all ranks in rank order.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

__global__ __launch_bounds__(flat_threads) void add_kernel(std::int64_t count, const float* values,
                                                           float* sum, bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const std::int64_t left = count - i;
    const Quad added = load_quad(values + i, left, vectorised);
    Quad total = load_quad(sum + i, left, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) total.unit[j] += added.unit[j];
    store_quad(sum + i, left, vectorised, total);
  }
}

__global__ __launch_bounds__(flat_threads) void sum_values_kernel(std::int64_t count, Messages messages,
                                                                  float* sum) {
  const std::int64_t stride = std::int64_t{gridDim.x} * flat_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * flat_threads + threadIdx.x; i < count; i += stride) {
    float total = 0;
    for (int rank = 0; rank < messages.ranks; ++rank) total += messages.of(rank)[i];
    sum[i] = total;
  }
}

}  // namespace

void CudaDevice::add(std::size_t count, const float* values, float* sum, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  add_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      floats, values, sum, on_border(values) && on_border(sum));
  CHECK_LAUNCH("add_kernel", floats);
}

void CudaDevice::sum_values(std::size_t count, const Messages& messages, float* sum, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  sum_values_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(floats, messages,
                                                                                          sum);
  CHECK_LAUNCH("sum_values_kernel", floats, messages.ranks);
}

}  // namespace breakeven
