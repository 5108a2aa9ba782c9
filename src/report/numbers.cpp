// SPDX-License-Identifier: Apache-2.0
// Formatting of numbers with units.
#include "src/report/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace breakeven {
namespace {

std::string with_thousands(std::string digits) {
  const std::size_t start = digits.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t place = point; place > start + 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

struct Unit {
  double size;
  std::string_view name;
};

// The largest unit of which there is at least one, after rounding; the first where even that is too large.
template <std::size_t n>
std::string with_unit(double value, const std::array<Unit, n>& units, int digits) {
  if (!std::isfinite(value)) return std::string(dash);
  if (value == 0)
    return fmt::format("0 {}", std::find_if(units.begin(), units.end(), [](const Unit& unit) {
                                 return unit.size == 1;
                               })->name);
  Unit chosen = units.front();
  for (const Unit& unit : units) {
    if (std::abs(value) >= unit.size * (1 - 0.5 * std::pow(10, -digits))) chosen = unit;
  }
  return fmt::format("{} {}", format_significant(value / chosen.size, digits), chosen.name);
}

constexpr std::array seconds_units{Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"}, Unit{1, "s"}};
constexpr std::array duration_units{Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"}, Unit{1, "s"},
                                    Unit{60, "min"},  Unit{3600, "h"},  Unit{86400, "d"}};
constexpr std::array byte_units{Unit{1, "B"}, Unit{1024, "KiB"}, Unit{1048576, "MiB"},
                                Unit{1073741824, "GiB"}};
constexpr std::array bandwidth_units{Unit{1, "B/s"}, Unit{1e3, "kB/s"}, Unit{1e6, "MB/s"}, Unit{1e9, "GB/s"}};
constexpr std::array flops_units{Unit{1, "FLOP/s"}, Unit{1e6, "MFLOP/s"}, Unit{1e9, "GFLOP/s"},
                                 Unit{1e12, "TFLOP/s"}};

}  // namespace

std::string format_significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(dash);
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double step = std::pow(10.0, magnitude - digits + 1);
  const double rounded = std::round(value / step) * step;
  const int rounded_magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-12));
  return with_thousands(fmt::format("{:.{}f}", rounded, std::max(0, digits - 1 - rounded_magnitude)));
}

std::string format_count(std::uint64_t count) { return with_thousands(fmt::format("{}", count)); }

std::string format_rate(double per_second) { return format_significant(per_second, 4); }

std::string format_seconds(double seconds) { return with_unit(seconds, seconds_units, 3); }

std::string format_time_left(double seconds) {
  if (!std::isfinite(seconds)) return std::string(dash);
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(seconds, 0.0));
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", format_count(whole / 3600), whole % 3600 / 60);
}

std::string format_duration(double seconds) { return with_unit(seconds, duration_units, 3); }

std::string format_duration(const Interval& seconds) {
  if (!seconds.has_bounds()) return format_duration(seconds.centre);
  return fmt::format("{} ({}–{})", format_duration(seconds.centre), format_duration(seconds.low),
                     format_duration(seconds.high));
}

std::string format_bytes(double bytes) { return with_unit(bytes, byte_units, 3); }

std::string format_bandwidth(double bytes_per_second) {
  return with_unit(bytes_per_second, bandwidth_units, 3);
}

std::string format_flops(double flops_per_second) { return with_unit(flops_per_second, flops_units, 3); }

std::string format_percent(double share) {
  if (!std::isfinite(share)) return std::string(dash);
  const double percent = 100 * share;
  return std::abs(percent) < 10 ? fmt::format("{} %", format_significant(percent, 2))
                                : fmt::format("{:.0f} %", percent);
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return std::string(dash);
  return ratio < 10 ? fmt::format("{:.2f}", ratio) : format_significant(ratio, 3);
}

std::string format_ratio(const Interval& ratio) {
  if (!ratio.has_bounds()) return format_ratio(ratio.centre);
  const int decimals = ratio.high - ratio.low < 0.02 ? 3 : ratio.centre < 10 ? 2 : 1;
  return fmt::format("{0:.{3}f} ({1:.{3}f}–{2:.{3}f})", ratio.centre, ratio.low, ratio.high, decimals);
}

std::string format_seconds(const Interval& seconds) {
  if (!seconds.has_bounds()) return format_seconds(seconds.centre);
  const double half = (seconds.high - seconds.low) / 2;
  // A clock that ticks gives equal values, and the rounding of their sums is no width.
  const double least = 1e-5 * seconds.centre;
  if (seconds.centre > 0 && half < least)
    return fmt::format("{} ± <{}", format_seconds(seconds.centre), format_seconds(least));
  return fmt::format("{} ± {}", format_seconds(seconds.centre), format_seconds(half));
}

std::string part_of_runs(std::size_t runs, std::size_t of_runs) {
  return runs == of_runs ? "" : fmt::format(" ({} of {} runs)", runs, of_runs);
}

std::string format_numbers(const std::vector<std::size_t>& numbers, std::size_t most) {
  std::string text;
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < numbers.size(); ++pieces) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (pieces == most) return text + fmt::format(" and {} more", numbers.size() - i);
    if (pieces > 0) text += ", ";
    text += last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}–{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace breakeven
