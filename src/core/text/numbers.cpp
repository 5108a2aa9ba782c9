// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <string>

#include "src/core/text/lists.h"

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

constexpr std::array time_units{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1},
                                Unit{"min", 60},  Unit{"h", 3600},  Unit{"d", 86400}};

// More than any memory, and exact in a double.
constexpr double most_bytes = 1e15;

// Nothing where the text does not begin with a number; `rest` is what stands behind it.
template <typename Number>
std::optional<Number> leading_number(std::string_view text, std::string_view& rest) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Nothing where anything else stands in the text.
template <typename Number>
std::optional<Number> whole_text(std::string_view text) {
  std::string_view rest;
  const auto number = leading_number<Number>(text, rest);
  return rest.empty() ? number : std::nullopt;
}

// NaN where the text is no number with one of the units.
double number_with_unit(std::string_view text, std::span<const Unit> units) {
  std::string_view name;
  const auto number = leading_number<double>(text, name);
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (!number || unit == units.end()) return std::numeric_limits<double>::quiet_NaN();
  return *number * unit->size;
}

}  // namespace

bool parse_bytes(std::string_view text, std::uint64_t& bytes) {
  const double value = number_with_unit(text, byte_units);
  if (!(value >= 1 && value <= most_bytes) || value != std::floor(value)) return false;
  bytes = static_cast<std::uint64_t>(value);
  return true;
}

std::optional<double> parse_bandwidth(std::string_view text) {
  constexpr std::string_view a_second = "/s";
  std::uint64_t bytes = 0;
  if (!text.ends_with(a_second)) return std::nullopt;
  text.remove_suffix(a_second.size());
  if (!parse_bytes(text, bytes)) return std::nullopt;
  return static_cast<double>(bytes);
}

std::optional<double> parse_duration(std::string_view text) {
  const double seconds = number_with_unit(text, time_units);
  if (!(seconds > 0) || !std::isfinite(seconds)) return std::nullopt;
  return seconds;
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  const auto value = whole_text<Number>(text);
  return value && std::isfinite(static_cast<double>(*value)) ? value : std::nullopt;
}
template std::optional<float> parse_number(std::string_view);
template std::optional<double> parse_number(std::string_view);
template std::optional<int> parse_number(std::string_view);
template std::optional<std::uint32_t> parse_number(std::string_view);
template std::optional<std::int64_t> parse_number(std::string_view);
template std::optional<std::uint64_t> parse_number(std::string_view);

std::string number_hint(std::string_view text) {
  const auto is_digit = [](char letter) { return '0' <= letter && letter <= '9'; };
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1]))
    return ". Commas separate the values of a list: write 1024, not 1,024";
  const std::size_t comma = text.find(',');
  const bool is_in_number = comma != text.npos && comma > 0 && is_digit(text[comma - 1]);
  return is_in_number ? ". Write numbers without commas, such as 1024 or 1.5" : "";
}

std::optional<std::uint32_t> parse_count(std::string_view text, std::uint32_t largest) {
  const auto value = whole_text<std::uint32_t>(text);
  return value && *value >= 1 && *value <= largest && text[0] != '0' ? value : std::nullopt;
}

bool parse_range(std::string_view text, NumberRange& range) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = whole_text<std::uint32_t>(text.substr(0, dash));
  const auto last = dash < text.size() ? whole_text<std::uint32_t>(text.substr(dash + 1)) : first;
  if (!first || !last || *last < *first) return false;
  range = {*first, *last};
  return true;
}

std::optional<std::vector<int>> parse_doublings(std::string_view text, int largest) {
  constexpr std::string_view dots = "..";
  const auto most = static_cast<std::uint32_t>(largest);
  std::set<int> numbers;
  for (const std::string& part : split_list(text)) {
    const std::size_t end = part.find(dots);
    const auto first = parse_count(std::string_view(part).substr(0, end), most);
    const auto last =
        end == part.npos ? first : parse_count(std::string_view(part).substr(end + dots.size()), most);
    if (!first || !last || *first > *last) return std::nullopt;
    for (const std::int64_t from : {std::int64_t{*first}, static_cast<std::int64_t>(std::bit_ceil(*first))})
      for (std::int64_t number = from; number <= *last; number *= 2) numbers.insert(static_cast<int>(number));
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

bool parse_share(std::string_view text, double& share) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  const auto value = whole_text<double>(text);
  const double given = value.value_or(0) / (is_percent ? 100 : 1);
  if (!(given > 0 && given < 1)) return false;
  share = given;
  return true;
}

}  // namespace breakeven
