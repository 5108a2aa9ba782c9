// SPDX-License-Identifier: Apache-2.0
#include "src/report/break_even_words.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven {
namespace {

// To three digits: a line between two points knows no more.
double rounded(double at) {
  const double unit = std::pow(10, std::floor(std::log10(at)) - 2);
  return std::round(at / unit) * unit;
}

}  // namespace

std::string_view word_of_side(Payoff side) {
  if (side == Payoff::pays) return "faster";
  return side == Payoff::does_not_pay ? "slower" : "undecided";
}

std::string phrase_of(const BreakEven& found, PlaceText text) {
  const auto below = word_of_side(found.below), above = word_of_side(found.above);
  const bool is_open_below = found.below == Payoff::undecided,
             is_open_above = found.above == Payoff::undecided;
  std::string near;
  if (!std::isnan(found.at)) near = fmt::format(", break-even near {}", text(rounded(found.at)));
  if (is_open_below && is_open_above) return fmt::format("undecided throughout{}", near);
  if (is_open_below)
    return fmt::format("undecided below {}, {} from there on{}", text(found.high), above, near);
  if (is_open_above)
    return fmt::format("{} up to {}, undecided from there on{}", below, text(found.low), near);
  if (found.below == found.above)
    return fmt::format("{} up to {} and from {} on, undecided between", below, text(found.low),
                       text(found.high));
  return fmt::format("{} up to {}, {} from {} on{}", below, text(found.low), above, text(found.high), near);
}

std::string break_evens_in_words(std::span<const BreakEvenPoint> points, PlaceText text) {
  if (points.empty()) return "";
  const std::vector<BreakEven> bands = find_break_evens(points);
  if (bands.empty())
    return fmt::format("{} throughout, break-even beyond the range", word_of_side(points.front().side));
  std::vector<std::string> phrases;
  for (const BreakEven& found : bands) phrases.push_back(phrase_of(found, text));
  return fmt::format("{}", fmt::join(phrases, "; then "));
}

}  // namespace breakeven
