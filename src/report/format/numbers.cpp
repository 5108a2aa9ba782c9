// SPDX-License-Identifier: Apache-2.0
// Formatting of numbers with units.
#include "src/report/format/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "src/core/as_whole.h"
#include "src/core/text/lists.h"

namespace breakeven::report {
namespace {

std::string with_thousands(std::string digits) {
  const std::size_t start = digits.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t place = point; place > start + 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

// The largest unit that is not above the rounded value; the first if all are.
std::string with_unit(double value, const NumberFormat& format) {
  const auto& [name, digits, units] = format;
  if (!std::isfinite(value)) return std::string(dash);
  if (value == 0) return fmt::format("0 {}", std::ranges::find(units, 1, &NumberUnit::size)->name);
  NumberUnit chosen = units.front();
  for (const NumberUnit& unit : units) {
    if (std::abs(value) >= unit.size * (1 - 0.5 * std::pow(10, -digits))) chosen = unit;
  }
  return fmt::format("{} {}", format_significant(value / chosen.size, digits), chosen.name);
}

constexpr std::array duration_units{NumberUnit{1e-9, "ns"}, NumberUnit{1e-6, "µs"}, NumberUnit{1e-3, "ms"},
                                    NumberUnit{1, "s"},     NumberUnit{60, "min"},  NumberUnit{3600, "h"},
                                    NumberUnit{86400, "d"}};
constexpr std::array byte_units{NumberUnit{1, "B"}, NumberUnit{1024, "KiB"}, NumberUnit{1048576, "MiB"},
                                NumberUnit{1073741824, "GiB"}};
constexpr std::array bandwidth_units{NumberUnit{1, "B/s"}, NumberUnit{1e3, "kB/s"}, NumberUnit{1e6, "MB/s"},
                                     NumberUnit{1e9, "GB/s"}};
constexpr std::array flops_units{NumberUnit{1, "FLOP/s"}, NumberUnit{1e6, "MFLOP/s"},
                                 NumberUnit{1e9, "GFLOP/s"}, NumberUnit{1e12, "TFLOP/s"}};
constexpr std::array joule_units{NumberUnit{1e-6, "µJ"}, NumberUnit{1e-3, "mJ"}, NumberUnit{1, "J"}};
constexpr std::array hertz_units{NumberUnit{1, "Hz"}, NumberUnit{1e6, "MHz"}, NumberUnit{1e9, "GHz"}};
constexpr std::array parameter_units{NumberUnit{1, ""}, NumberUnit{1e3, "k"}, NumberUnit{1e6, "M"},
                                     NumberUnit{1e9, "G"}};

constexpr NumberFormat seconds_format{"seconds", 3, std::span(duration_units).first<4>()};
constexpr NumberFormat duration_format{"duration", 3, duration_units};
constexpr NumberFormat bytes_format{"bytes", 3, byte_units};
constexpr NumberFormat bandwidth_format{"bandwidth", 3, bandwidth_units};
constexpr NumberFormat flops_format{"flops", 3, flops_units};
constexpr NumberFormat rate_format{"rate", 4};
constexpr std::array all_formats{seconds_format,
                                 duration_format,
                                 bytes_format,
                                 bandwidth_format,
                                 flops_format,
                                 rate_format,
                                 NumberFormat{"joules", 3, joule_units},
                                 NumberFormat{"frequency", 3, hertz_units},
                                 NumberFormat{"parameters", 3, parameter_units}};

// Digits of the centre, if half of the width has two.
int supported_digits(const statistics::Interval& interval, int most) {
  const double half = (interval.high - interval.low) / 2;
  if (!(half > 0) || !std::isfinite(half) || !(interval.centre > 0)) return most;
  const auto place = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
  return std::clamp(place(interval.centre) - place(half) + 2, 1, most);
}

// "1.25 h (1.20 h–1.30 h)"; the centre alone where the interval is narrower than its digits.
template <typename Format>
std::string with_bounds(const statistics::Interval& value, Format format) {
  const std::string centre = format(value.centre);
  if (value.is_too_wide()) return centre + " (interval not known)";
  if (!value.has_bounds()) return centre;
  const std::string low = format(value.low), high = format(value.high);
  return low == centre && high == centre ? centre : fmt::format("{} ({}–{})", centre, low, high);
}

}  // namespace

std::span<const NumberFormat> number_formats() { return all_formats; }

std::string format_significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(dash);
  if (!(std::abs(value) >= std::numeric_limits<double>::min())) return "0";  // its last digits have no step
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double step = std::pow(10.0, magnitude - digits + 1);
  const double rounded = std::round(value / step) * step;
  const int rounded_magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-12));
  return with_thousands(fmt::format("{:.{}f}", rounded, std::max(0, digits - 1 - rounded_magnitude)));
}

std::string format_significant(const statistics::Interval& value) {
  constexpr int digits = 3;
  return with_bounds(value, [](double one) { return format_significant(one, digits); });
}

std::string format_count(std::uint64_t count) { return with_thousands(fmt::format("{}", count)); }

std::string format_rate(double per_second) { return format_significant(per_second, rate_format.digits); }

std::string format_seconds(double seconds) { return with_unit(seconds, seconds_format); }

std::string format_time_left(double seconds) {
  if (!std::isfinite(seconds)) return std::string(dash);
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(seconds, 0.0));
  const auto whole = as_whole<std::uint64_t>(std::round(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", format_count(whole / 3600), whole % 3600 / 60);
}

std::string format_duration(double seconds) { return with_unit(seconds, duration_format); }

std::string format_duration(const statistics::Interval& seconds) {
  return with_bounds(seconds, [](double one) { return format_duration(one); });
}

std::string format_bytes(double bytes) { return with_unit(bytes, bytes_format); }

std::string format_bandwidth(double bytes_per_second) {
  return with_unit(bytes_per_second, bandwidth_format);
}

std::string format_flops(double flops_per_second) { return with_unit(flops_per_second, flops_format); }

std::string format_percent(double share) {
  if (!std::isfinite(share)) return std::string(dash);
  const double percent = 100 * share;
  const auto& [digits, whole_from] = percent_format;
  return std::abs(percent) < whole_from ? fmt::format("{} %", format_significant(percent, digits))
                                        : fmt::format("{:.0f} %", percent);
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return std::string(dash);
  return ratio < ratio_format.large ? fmt::format("{:.{}f}", ratio, ratio_format.decimals)
                                    : format_significant(ratio, ratio_format.large_digits);
}

std::string format_ratio(const statistics::Interval& ratio) {
  if (!ratio.has_bounds()) return format_ratio(ratio.centre);
  const RatioFormat& rule = ratio_format;
  if (ratio.low > 0 && ratio.high >= rule.wide_factor * ratio.low)
    return fmt::format("{} ({}–{})", format_significant(ratio.centre, rule.wide_digits),
                       format_significant(ratio.low, rule.wide_digits),
                       format_significant(ratio.high, rule.wide_digits));
  const int decimals = ratio.high - ratio.low < rule.narrow_width ? rule.narrow_decimals
                       : ratio.centre < rule.large                ? rule.decimals
                                                                  : rule.large_decimals;
  return fmt::format("{0:.{3}f} ({1:.{3}f}–{2:.{3}f})", ratio.centre, ratio.low, ratio.high, decimals);
}

std::string format_seconds(const statistics::Interval& seconds) {
  const double half = seconds.half_width();
  // A clock that ticks gives equal values, and the rounding of their sums is no width.
  const double least = 1e-5 * seconds.centre;
  if (seconds.centre > 0 && half < least)
    return fmt::format("{} ± <{}", format_seconds(seconds.centre), format_seconds(least));
  if (!(half < seconds.centre))  // "±" would reach below 0, or there is no interval
    return with_bounds(seconds, [](double one) { return format_seconds(one); });
  NumberFormat centre = seconds_format, width = seconds_format;
  centre.digits = supported_digits(seconds, centre.digits);
  width.digits = 2;
  return fmt::format("{} ± {}", with_unit(seconds.centre, centre), with_unit(half, width));
}

std::string format_rate(double per_second, const statistics::Interval& seconds) {
  return format_significant(per_second, supported_digits(seconds, rate_format.digits));
}

SampleCount samples_priced(double least_money_of_million) {
  constexpr double least_shown = 0.01;
  constexpr std::array counts{SampleCount{1, "million"}, SampleCount{1e3, "billion"}};
  for (const SampleCount& count : counts)
    if (!(count.millions * least_money_of_million < least_shown)) return count;
  return {1e6, "trillion"};
}

std::string parameters_in_brackets(std::uint64_t parameters) {
  return parameters == 0 ? "" : fmt::format(" ({} parameters)", format_count(parameters));
}

std::string count_of(std::size_t some, std::size_t all) {
  return all == 0 ? std::string(dash) : fmt::format("{} of {}", some, all);
}

std::string part_of_runs(std::size_t runs, std::size_t of_runs) {
  return runs == of_runs ? "" : fmt::format(" ({} of {} runs)", runs, of_runs);
}

std::string first_names(std::vector<std::string> names, std::size_t most, std::string_view before_rest) {
  const std::size_t rest = names.size() - std::min(names.size(), most);
  names.resize(names.size() - rest);
  return join_list(names) + (rest > 0 ? fmt::format("{}{} more", before_rest, rest) : "");
}

std::string from_to_words(const std::string& first, const std::string& last) {
  return first == last ? first : fmt::format("{} to {}", first, last);
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

}  // namespace breakeven::report
