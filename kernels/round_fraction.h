// SPDX-License-Identifier: Apache-2.0
// Rounding of a float to fewer bits of its fraction, on the host and on GPUs to the same bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// Rounds off the lowest `places` bits, at least one, of a finite or infinite float; ties go to even. A carry
// goes into the exponent, and from the largest value to infinity, as it should.
HOST_DEVICE std::uint32_t rounded_to_even(std::uint32_t bits, int places) {
  const std::uint32_t below_half = (1u << (places - 1)) - 1;
  return (bits + below_half + (bits >> places & 1u)) >> places;
}

// The nearest float with so many bits of fraction, from 0 to 23. 10 is TF32, rounded as
// cvt.rn.tf32.f32 does.
HOST_DEVICE float round_fraction(float value, int fraction_bits) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  const int dropped = 23 - fraction_bits;
  const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  if (dropped == 0 || is_nan) return value;
  bits = rounded_to_even(bits, dropped) << dropped;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace breakeven
