// SPDX-License-Identifier: Apache-2.0
// The fragments of each precision: the registers of a warp-wide product on tensor cores.
#pragma once

#include "kernels/cuda/gemm/fragment_16_bits.cuh"
#include "kernels/cuda/gemm/fragment_tf32.cuh"
#include "src/core/precision.h"

namespace breakeven {

template <Precision precision>
struct FragmentsFor;
template <>
struct FragmentsFor<Precision::tf32x3> {
  using Type = SplitTf32Fragments;
};
template <>
struct FragmentsFor<Precision::tf32> {
  using Type = Tf32Fragments;
};
template <>
struct FragmentsFor<Precision::bf16> {
  using Type = SixteenBitFragments<__nv_bfloat16>;
};
template <>
struct FragmentsFor<Precision::fp16> {
  using Type = SixteenBitFragments<__half>;
};
template <Precision precision>
using FragmentsOf = typename FragmentsFor<precision>::Type;

}  // namespace breakeven
