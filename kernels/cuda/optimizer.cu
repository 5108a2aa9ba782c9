// SPDX-License-Identifier: Apache-2.0
// The two optimizers over flat buffers, and the working copies that products read.
#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

// Four reads and three writes, 28 bytes per parameter, plus the working copy. Memory-bound from about 10^5
// parameters.
template <typename Working>
__global__ __launch_bounds__(flat_threads) void adam_kernel(std::int64_t count, const float* gradient,
                                                            AdamSettings settings, const StepState* state,
                                                            AdamArrays arrays, Working* working,
                                                            bool vectorised) {
  if (state->overflow != 0) return;
  __shared__ AdamFactors factors;  // computed in double by one thread
  if (threadIdx.x == 0) factors = adam_factors(settings, *state);
  __syncthreads();
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const Quad g = load_quad(gradient + i, count - i, vectorised);
    adam_update(factors, g, arrays, working, i, count - i, vectorised);
  }
}

template <typename Working>
__global__ __launch_bounds__(flat_threads) void sgd_kernel(std::int64_t count, const float* gradient,
                                                           float learning_rate, const StepState* state,
                                                           float* parameter, Working* working,
                                                           bool vectorised) {
  if (state->overflow != 0) return;
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const std::int64_t left = count - i;
    const Quad g = load_quad(gradient + i, left, vectorised);
    Quad p = load_quad(parameter + i, left, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) p.unit[j] -= learning_rate * g.unit[j];
    store_quad(parameter + i, left, vectorised, p);
    if (working != nullptr) store_quad(working + i, left, vectorised, p);
  }
}

template <typename Converted>
__global__ __launch_bounds__(flat_threads) void convert_kernel(std::int64_t count, const float* values,
                                                               Converted* converted, bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    store_quad(converted + i, count - i, vectorised, load_quad(values + i, count - i, vectorised));
  }
}

}  // namespace

void CudaDevice::adam(std::size_t count, const float* gradient, const AdamSettings& settings,
                      const StepState* state, const AdamArrays& arrays, void* working, Dtype dtype,
                      Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised = on_border(gradient) && on_border(arrays.parameter) &&
                          on_border(arrays.first_moment) && on_border(arrays.second_moment) &&
                          on_border(working, dtype);
  with_dtype(dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    adam_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
        floats, gradient, settings, state, arrays, static_cast<Working*>(working), vectorised);
  });
  CHECK_LAUNCH("adam_kernel", floats);
}

void CudaDevice::sgd(std::size_t count, const float* gradient, float learning_rate, const StepState* state,
                     float* parameter, void* working, Dtype dtype, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised = on_border(gradient) && on_border(parameter) && on_border(working, dtype);
  with_dtype(dtype, [&](auto tag) {
    using Working = typename decltype(tag)::Type;
    sgd_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
        floats, gradient, learning_rate, state, parameter, static_cast<Working*>(working), vectorised);
  });
  CHECK_LAUNCH("sgd_kernel", floats);
}

void CudaDevice::convert(std::size_t count, const float* values, void* converted, Dtype dtype,
                         Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised = on_border(values) && on_border(converted, dtype);
  with_dtype(dtype, [&](auto tag) {
    using Converted = typename decltype(tag)::Type;
    convert_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
        floats, values, static_cast<Converted*>(converted), vectorised);
  });
  CHECK_LAUNCH("convert_kernel", floats);
}

}  // namespace breakeven
