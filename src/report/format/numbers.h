// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: three or four significant digits, a unit, thousands apart. A number that was
// not measured is a dash, never a zero and never "nan".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/statistics/interval.h"

namespace breakeven::report {

inline constexpr std::string_view dash = "–";

struct NumberUnit {
  double size;
  std::string_view name;
};

// So many significant digits, and the largest unit that is not above the value; without units as it is.
struct NumberFormat {
  std::string_view name;
  int digits;
  std::span<const NumberUnit> units = {};
};

// Shares are percents with so many significant digits, and whole percents from there on.
struct PercentFormat {
  int digits;
  double whole_from;
};
inline constexpr PercentFormat percent_format{.digits = 2, .whole_from = 10};

// A ratio has so many decimals, or digits if it is large. Its interval decides instead if it is wide, which
// is when its ends differ by that factor, or narrow.
struct RatioFormat {
  int decimals;
  double large;
  int large_digits, large_decimals;  // alone, and with an interval
  double wide_factor;
  int wide_digits;
  double narrow_width;
  int narrow_decimals;
};
inline constexpr RatioFormat ratio_format{.decimals = 2,
                                          .large = 10,
                                          .large_digits = 3,
                                          .large_decimals = 1,
                                          .wide_factor = 2,
                                          .wide_digits = 2,
                                          .narrow_width = 0.02,
                                          .narrow_decimals = 3};

// The formats of the functions below, by their names without "format_"; and formats that only readers of the
// JSON use.
std::span<const NumberFormat> number_formats();

std::string format_significant(double value, int digits);  // "0.123", "12.3", "1,230", without an exponent
std::string format_count(std::uint64_t count);             // "258,432"
std::string format_rate(double per_second);                // four digits: "2,039", "16,880"
std::string format_seconds(double seconds);                // "212 µs", "3.21 ms"
std::string format_time_left(double seconds);              // "3.2 s", "4 min 10 s", "3 h 5 min"
std::string format_duration(double seconds);               // up to days: "2.50 h"
std::string format_duration(const statistics::Interval& seconds);  // "2.50 h (2.31 h–2.72 h)"
std::string format_bytes(double bytes);                            // binary: "1.04 MiB"
std::string format_bandwidth(double bytes_per_second);             // decimal, as everywhere: "47.6 GB/s"
std::string format_flops(double flops_per_second);                 // "49.1 TFLOP/s"
std::string format_percent(double share);                          // of 1: "42 %", "0.31 %"

// "0.74 (0.72–0.76)"; narrow: "0.743 (0.741–0.745)"; wide: "42 (7.5–230)".
std::string format_ratio(double ratio);
std::string format_ratio(const statistics::Interval& ratio);
// "212 µs ± 2.1 µs": half the interval's width to two digits, and no digit of the centre beyond its last
// (JCGM 100:2008, "Guide to the Expression of Uncertainty in Measurement", section 7.2.6).
std::string format_seconds(const statistics::Interval& seconds);
std::string format_rate(double per_second, const statistics::Interval& seconds);  // batch / these seconds

// "12.3 (11.8–12.9)"
std::string format_significant(const statistics::Interval& value);

// " (3 of 6 runs)", behind a figure of some of them; "" where it is of all.
std::string part_of_runs(std::size_t runs, std::size_t of_runs);

// How many samples money is printed for, so that it is no tiny fraction: a million, billion or trillion.
struct SampleCount {
  double millions = 1;
  std::string_view name = "million";
};
SampleCount samples_priced(double least_money_of_million);

// " (258,432 parameters)", behind a model; "" where they are not known.
std::string parameters_in_brackets(std::uint64_t parameters);

// "3 of 6"; a dash where there are none.
std::string count_of(std::size_t some, std::size_t all);

// "a, b and 3 more": the first `most`.
std::string first_names(std::vector<std::string> names, std::size_t most,
                        std::string_view before_rest = " and ");

// "16 to 128"; "16" where both are.
std::string from_to_words(const std::string& first, const std::string& last);

// "12, 17, 40–49 and 8 more": numbers in rising order, ranges drawn together, at most `most` pieces.
std::string format_numbers(const std::vector<std::size_t>& numbers, std::size_t most = 8);

}  // namespace breakeven::report
