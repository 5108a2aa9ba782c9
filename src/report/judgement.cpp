// SPDX-License-Identifier: Apache-2.0
#include "src/report/judgement.h"

#include <cmath>

#include <fmt/format.h>

#include "src/report/numbers.h"

namespace breakeven {

std::string plain_number(double number) { return format_significant(number, 3); }

std::string turn_in_words(const Interval& turn, std::string_view unit) {
  const auto end = [](double at) { return std::isinf(at) ? std::string("never") : plain_number(at); };
  if (std::isnan(turn.centre)) return "from a place on that is not known";
  if (std::isinf(turn.centre) && !std::isfinite(turn.low)) return "never";
  if (std::isinf(turn.centre))
    return fmt::format("never by the estimate, at best from {}{} on", plain_number(turn.low), unit);
  if (turn.centre == 0 && turn.high == 0) return "always";
  const std::string from = fmt::format("from {}{} on", plain_number(turn.centre), unit);
  if (std::isnan(turn.low) || std::isnan(turn.high)) return from;
  return from + fmt::format(" ({} to {})", end(turn.low), end(turn.high));
}

}  // namespace breakeven
