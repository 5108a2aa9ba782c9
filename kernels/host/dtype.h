// SPDX-License-Identifier: Apache-2.0
// The 16-bit dtypes in software: their bits, and conversion from and to float. Rounds to nearest, ties to
// even; infinity, NaN and subnormal numbers as in IEEE 754.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/round_fraction.h"
#include "kernels/with_dtype.h"
#include "src/core/precision.h"

namespace breakeven {

struct Bf16 {  // sign, 8 bits of exponent, 7 of fraction: the upper half of a float
  std::uint16_t bits;
};

struct Fp16 {  // sign, 5 bits of exponent, 10 of fraction: IEEE 754's binary16
  std::uint16_t bits;
};

inline float to_float(float value) { return value; }

inline float to_float(Bf16 value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

// The exponent biases differ by 112. Multiplying by 2^112 is exact and makes subnormal numbers normal.
inline float to_float(Fp16 value) {
  const std::uint32_t magnitude = value.bits & 0x7FFFu;
  const std::uint32_t sign = std::uint32_t{value.bits & 0x8000u} << 16;
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
  const std::uint32_t not_finite = magnitude << 13 | 0x7F800000u;
  return std::bit_cast<float>(sign | (magnitude < 0x7C00u ? finite : not_finite));
}

template <typename T>
T from_float(float value);

template <>
inline float from_float<float>(float value) {
  return value;
}

template <>
inline Bf16 from_float<Bf16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  const std::uint32_t quiet_nan = magnitude >> 16 | 0x40u;
  const std::uint32_t rounded = magnitude > 0x7F800000u ? quiet_nan : rounded_to_even(magnitude, 16);
  return {static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | rounded)};
}

template <>
inline Fp16 from_float<Fp16>(float value) {
  constexpr std::uint32_t smallest_normal = 0x38800000u;  // 2^-14
  constexpr std::uint32_t infinite_from = 0x477FF000u;    // 65520, half a unit above the largest
  constexpr std::uint32_t exponents_apart = 112u << 10;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  // The last place of 0.5 is 2^-24, the unit of subnormal numbers, so adding 0.5 rounds to it.
  const float shifted = std::bit_cast<float>(magnitude < smallest_normal ? magnitude : 0u) + 0.5f;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f);
  const std::uint32_t normal = rounded_to_even(magnitude, 13) - exponents_apart;
  const std::uint32_t finite = magnitude < smallest_normal ? subnormal : normal;
  const std::uint32_t not_finite = magnitude > 0x7F800000u ? 0x7E00u | (magnitude >> 13 & 0x3FFu) : 0x7C00u;
  const std::uint32_t rounded = magnitude < infinite_from ? finite : not_finite;
  return {static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | rounded)};
}

// Calls work(DtypeTag<T>{}) with the type of `dtype`.
template <typename Work>
void with_dtype(Dtype dtype, const Work& work) {
  with_dtype_among<Bf16, Fp16>(dtype, work);
}

}  // namespace breakeven
