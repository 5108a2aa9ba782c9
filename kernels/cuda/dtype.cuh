// SPDX-License-Identifier: Apache-2.0
// The C++ types of the dtypes, their conversion from and to float, and selection of a kernel by dtype.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/with_dtype.h"
#include "src/core/precision.h"

namespace breakeven {

// Calls work(DtypeTag<T>{}) with the type of `dtype`.
template <typename Work>
void with_dtype(Dtype dtype, const Work& work) {
  with_dtype_among<__nv_bfloat16, __half>(dtype, work);
}

// Calls work(DtypeTag<T1>{}, DtypeTag<T2>{}).
template <typename Work>
void with_dtypes(Dtype first, Dtype second, const Work& work) {
  with_dtype(first, [&](auto first_tag) {
    with_dtype(second, [&](auto second_tag) { work(first_tag, second_tag); });
  });
}

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ inline float to_float(__half value) { return __half2float(value); }

// Rounds to nearest, ties to even. Too large values become infinity; NaN stays NaN.
template <typename T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}

// The smallest float that is stored as infinity: half a unit above the largest finite value of the dtype.
template <typename T>
__device__ constexpr float infinite_from();
template <>
__device__ constexpr float infinite_from<float>() {
  return __builtin_huge_valf();
}
template <>
__device__ constexpr float infinite_from<__nv_bfloat16>() {
  return 0x1.FFp127f;
}
template <>
__device__ constexpr float infinite_from<__half>() {
  return 65520.0f;
}

// Whether the value is finite when stored as T. False for NaN.
template <typename T>
__device__ bool stays_finite(float value) {
  return fabsf(value) < infinite_from<T>();
}

}  // namespace breakeven
