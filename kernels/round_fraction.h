// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "src/core/host_device.h"

namespace breakeven {

// The nearest float with so many bits of fraction, from 0 to 23; ties go to even. 10 is TF32, rounded as
// cvt.rn.tf32.f32 does.
HOST_DEVICE float round_fraction(float value, int fraction_bits) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  const int dropped = 23 - fraction_bits;
  const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  if (dropped == 0 || is_nan) return value;
  const std::uint32_t below_half = (1u << (dropped - 1)) - 1u;
  bits = (bits + below_half + (bits >> dropped & 1u)) & ~((1u << dropped) - 1u);
  memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace breakeven
