// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

namespace breakeven {
namespace {

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array byte_units{
    Unit{"B", 1},         Unit{"kB", 1e3},      Unit{"MB", 1e6},      Unit{"GB", 1e9},
    Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}, Unit{"KB", 1e3},
};

constexpr std::array time_units{Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600}, Unit{"d", 86400}};

// More than any memory, and exact in a double.
constexpr double most_bytes = 1e15;

bool parse_whole(std::string_view text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// NaN where the text is no number with one of the units.
double number_with_unit(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (error != std::errc{} || unit == units.end()) return std::numeric_limits<double>::quiet_NaN();
  return number * unit->size;
}

}  // namespace

bool parse_bytes(std::string_view text, std::uint64_t& bytes) {
  const double value = number_with_unit(text, byte_units);
  if (!(value >= 1 && value <= most_bytes) || value != std::floor(value)) return false;
  bytes = static_cast<std::uint64_t>(value);
  return true;
}

bool parse_duration(std::string_view text, double& seconds) {
  const double value = number_with_unit(text, time_units);
  if (!(value > 0) || !std::isfinite(value)) return false;
  seconds = value;
  return true;
}

bool parse_number(std::string_view text, float& number) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return false;
  number = value;
  return true;
}

bool parse_range(std::string_view text, NumberRange& range) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  NumberRange parsed;
  if (!parse_whole(text.substr(0, dash), parsed.first)) return false;
  parsed.last = parsed.first;
  if (dash < text.size() && !parse_whole(text.substr(dash + 1), parsed.last)) return false;
  if (parsed.last < parsed.first) return false;
  range = parsed;
  return true;
}

bool parse_share(std::string_view text, double& share) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if (is_percent) value /= 100;
  if (!(value > 0 && value < 1)) return false;
  share = value;
  return true;
}

}  // namespace breakeven
