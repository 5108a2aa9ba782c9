// SPDX-License-Identifier: Apache-2.0
// The dtypes once more, by the definition of a binary floating-point format: what conversions are tested
// against, and what a reference is told that its inputs were stored as.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/precision.h"
#include "tests/support/reference.h"

namespace breakeven {

struct BinaryFormat {
  int digits;         // of the significand, with the one before the point
  int last_exponent;  // the smallest number above zero is 2^last_exponent
  double largest;
};

inline BinaryFormat format_of(Dtype dtype) {
  if (dtype == Dtype::bf16) return {8, -133, 0x1.FEp127};
  if (dtype == Dtype::fp16) return {11, -24, 65504};
  return {24, -149, std::numeric_limits<float>::max()};
}

// Half a unit in the last place of 1.
inline double roundoff_of(Dtype dtype) { return std::ldexp(1.0, -format_of(dtype).digits); }

// To nearest, ties to even.
inline double rounded(double value, Dtype dtype) {
  if (!std::isfinite(value) || value == 0) return value;
  const BinaryFormat format = format_of(dtype);
  const int unit = std::max(std::ilogb(value) - (format.digits - 1), format.last_exponent);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::abs(nearest) <= format.largest ? nearest
                                             : std::copysign(std::numeric_limits<double>::infinity(), value);
}

inline std::vector<double> rounded(std::vector<double> values, Dtype dtype) {
  for (double& value : values) value = rounded(value, dtype);
  return values;
}

inline Table rounded(Table table, Dtype dtype) {
  table.values = rounded(std::move(table.values), dtype);
  return table;
}

// The most that rounding a number of at most this size can change it.
inline double storing_error(double size, Dtype dtype) {
  return size * roundoff_of(dtype) + std::ldexp(1.0, format_of(dtype).last_exponent - 1);
}

inline const char* name_of(Dtype dtype) {
  return dtype == Dtype::fp32 ? "fp32" : dtype == Dtype::bf16 ? "bf16" : "fp16";
}

}  // namespace breakeven
