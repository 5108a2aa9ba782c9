// SPDX-License-Identifier: Apache-2.0
// Blocks of 256 values as 8-bit numbers with one scale: the largest magnitude becomes 127 (after Dettmers,
// "8-Bit Approximations for Parallelism in Deep Learning", ICLR 2016; here linear, with one scale per block).
// A message holds the scales, then the 8-bit numbers, then zeros up to a multiple of four bytes.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "src/core/compression/packing.h"
#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// The larger of two magnitudes; NaN if either is NaN.
HOST_DEVICE float larger_or_nan(float most, float magnitude) {
  return magnitude > most || magnitude != magnitude ? magnitude : most;
}

HOST_DEVICE float int8_scale(float largest_magnitude) { return largest_magnitude / 127.0f; }

// Rounds ties to even. If the scale is not finite the result is 0, which decodes to NaN: 0 times infinity.
HOST_DEVICE std::int8_t int8_encoded(float value, float scale) {
  if (!(scale > 0) || !(scale <= FLT_MAX)) return 0;
  const float nearest = std::rint(value / scale);
  return static_cast<std::int8_t>(nearest > 127 ? 127 : nearest < -127 ? -127 : nearest);
}

// Rounded before it is added to anything, so both devices decode to the same bits.
HOST_DEVICE float int8_decoded(std::int8_t code, float scale) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(static_cast<float>(code), scale);
#else
  return static_cast<float>(code) * scale;
#endif
}

}  // namespace breakeven
