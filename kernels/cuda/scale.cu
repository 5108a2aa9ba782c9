// SPDX-License-Identifier: Apache-2.0
// Multiplies a flat buffer by a factor: a given one, or the one that clips it to a norm.
#include "kernels/clip.h"
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

template <typename Factor>
__device__ void scale_all(std::int64_t count, Factor factor, float* values, bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const std::int64_t left = count - i;
    Quad quad = load_quad(values + i, left, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) quad.unit[j] = static_cast<float>(quad.unit[j] * factor);
    store_quad(values + i, left, vectorised, quad);
  }
}

__global__ __launch_bounds__(flat_threads) void scale_kernel(std::int64_t count, double factor, float* values,
                                                             bool vectorised) {
  scale_all(count, factor, values, vectorised);
}

__global__ __launch_bounds__(flat_threads) void clip_kernel(std::int64_t count, const double* sum_of_squares,
                                                            float limit, float* values, bool vectorised) {
  __shared__ float factor;  // computed in double by one thread
  if (threadIdx.x == 0) factor = clip_factor(*sum_of_squares, limit);
  __syncthreads();
  if (factor != 1) scale_all(count, factor, values, vectorised);
}

}  // namespace

void CudaDevice::scale(std::size_t count, double factor, float* values, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  scale_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(floats, factor, values,
                                                                                     on_border(values));
  CHECK_LAUNCH("scale_kernel", floats);
}

void CudaDevice::clip_to_norm(std::size_t count, const double* sum_of_squares, float limit, float* values,
                              Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  clip_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
      floats, sum_of_squares, limit, values, on_border(values));
  CHECK_LAUNCH("clip_kernel", floats);
}

}  // namespace breakeven
