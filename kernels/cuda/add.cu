// SPDX-License-Identifier: Apache-2.0
// The sum of two flat buffers.
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

}  // namespace

void CudaDevice::add(std::size_t count, const float* values, float* sum, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  add_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      floats, values, sum, on_border(values) && on_border(sum));
  CHECK_LAUNCH("add_kernel", floats);
}

}  // namespace breakeven
