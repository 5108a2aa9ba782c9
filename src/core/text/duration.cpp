// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/duration.h"

#include <array>
#include <charconv>
#include <cmath>

namespace breakeven {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array units{Unit{"ns", 1e-9}, Unit{"us", 1e-6},  Unit{"ms", 1e-3},
                           Unit{"s", 1.0},   Unit{"min", 60.0}, Unit{"h", 3600.0}};

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !(number > 0) || !std::isfinite(number)) return std::nullopt;
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& unit : units)
    if (unit.name == name) return number * unit.seconds;
  return std::nullopt;
}

}  // namespace breakeven
