// SPDX-License-Identifier: Apache-2.0
// Gradient compression to 16 bits per value.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/flat.cuh"

namespace breakeven {
namespace {

template <typename T>
__global__ __launch_bounds__(flat_threads) void encode_half_kernel(std::int64_t count, float* values,
                                                                   T* codes, bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    const std::int64_t left = count - i;
    Quad quad = load_quad(values + i, left, vectorised);
    store_quad(codes + i, left, vectorised, quad);
#pragma unroll
    for (int j = 0; j < 4; ++j) quad.unit[j] -= to_float(from_float<T>(quad.unit[j]));
    store_quad(values + i, left, vectorised, quad);
  }
}

template <typename T>
__global__ __launch_bounds__(flat_threads) void widen_kernel(std::int64_t count, const T* codes,
                                                             float* values, bool vectorised) {
  for (std::int64_t i = first_place(); i < count; i += place_stride()) {
    store_quad(values + i, count - i, vectorised, load_quad(codes + i, count - i, vectorised));
  }
}

}  // namespace

void CudaDevice::encode_half(std::size_t count, float* values, void* codes, Dtype dtype, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised = on_border(values) && on_border(codes, dtype);
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    encode_half_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
        floats, values, static_cast<T*>(codes), vectorised);
  });
  CHECK_LAUNCH("encode_element_kernel", floats);
}

void CudaDevice::widen(std::size_t count, const void* codes, Dtype dtype, float* values, Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised = on_border(values) && on_border(codes, dtype);
  with_dtype(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    widen_kernel<<<flat_blocks(floats, info_), flat_threads, 0, cuda_stream(stream)>>>(
        floats, static_cast<const T*>(codes), values, vectorised);
  });
  CHECK_LAUNCH("widen_kernel", floats);
}

}  // namespace breakeven
