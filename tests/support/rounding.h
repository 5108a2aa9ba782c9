// SPDX-License-Identifier: Apache-2.0
// The elements once more, by the definition of a binary floating-point format: what conversions are tested
// against, and what a reference is told that its inputs were stored as.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/precision.h"
#include "tests/support/reference.h"

namespace breakeven {

inline constexpr Element elements[] = {Element::fp32, Element::bf16, Element::fp16};

struct BinaryFormat {
  int digits;         // of the significand, with the one before the point
  int last_exponent;  // the smallest number above zero is 2^last_exponent
  double largest;
};

inline BinaryFormat format_of(Element element) {
  if (element == Element::bf16) return {8, -133, 0x1.FEp127};
  if (element == Element::fp16) return {11, -24, 65504};
  return {24, -149, std::numeric_limits<float>::max()};
}

// Half a unit in the last place of 1.
inline double roundoff_of(Element element) { return std::ldexp(1.0, -format_of(element).digits); }

// To nearest, ties to even.
inline double rounded(double value, Element element) {
  if (!std::isfinite(value) || value == 0) return value;
  const BinaryFormat format = format_of(element);
  const int unit = std::max(std::ilogb(value) - (format.digits - 1), format.last_exponent);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::abs(nearest) <= format.largest ? nearest
                                             : std::copysign(std::numeric_limits<double>::infinity(), value);
}

inline std::vector<double> rounded(std::vector<double> values, Element element) {
  for (double& value : values) value = rounded(value, element);
  return values;
}

inline Table rounded(Table table, Element element) {
  table.values = rounded(std::move(table.values), element);
  return table;
}

// The most that rounding a number of at most this size can change it.
inline double storing_error(double size, Element element) {
  return size * roundoff_of(element) + std::ldexp(1.0, format_of(element).last_exponent - 1);
}

inline const char* name_of(Element element) {
  return element == Element::fp32 ? "fp32" : element == Element::bf16 ? "bf16" : "fp16";
}

}  // namespace breakeven
