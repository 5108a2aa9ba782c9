// SPDX-License-Identifier: Apache-2.0
// Parsers of the numbers that options take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// "4MB", "512kB", "1.5GB", "100B", with 1 kB = 1000 bytes, and "4MiB" with 1024. At least one byte, a whole
// number of them. Returns false and leaves `bytes` where the text is no size.
bool parse_bytes(std::string_view text, std::uint64_t& bytes);

// "50GB/s", "1GiB/s", in bytes a second. Nothing where the text is no bandwidth.
std::optional<double> parse_bandwidth(std::string_view text);

// "150ns", "2us", "3.5ms", "90s", "30min", "2h", "1.5d", in seconds, above 0. Nothing where the text is no
// duration.
std::optional<double> parse_duration(std::string_view text);

// What to write instead of "1,024", "1,5" or, from a list that 1,024 was cut into, "024": to put behind the
// sentence that refuses it. "" of any other text.
std::string number_hint(std::string_view text);

// A whole number from 1 to `largest`, without leading zeros. Nothing where the text is anything else.
std::optional<std::uint32_t> parse_count(std::string_view text, std::uint32_t largest);

// A decimal number such as "0.9" or "1e-3" for float and double, a whole number for int, std::int64_t,
// std::uint32_t and std::uint64_t. Nothing where the text is anything else, or the number is not finite or
// too large.
template <typename Number>
std::optional<Number> parse_number(std::string_view text);

// "10-19" or "10": whole numbers, both ends included.
struct NumberRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Returns false and leaves `range` where the text is no range or ends before it begins.
bool parse_range(std::string_view text, NumberRange& range);

// Whole numbers as a list with ranges, as in "1,8..4096": A..B means A and its doublings up to B, and the
// powers of two between. In rising order, each once. Nothing where a part is neither a whole number from 1 to
// `largest` nor a range.
std::optional<std::vector<int>> parse_doublings(std::string_view text, int largest);

// A share between 0 and 1, both excluded: "5%" or "0.05". Returns false and leaves `share` where the text is
// no share.
bool parse_share(std::string_view text, double& share);

}  // namespace breakeven
