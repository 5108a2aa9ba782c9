// SPDX-License-Identifier: Apache-2.0
#include "src/report/ink.h"

#include <array>

#include <fmt/color.h>

namespace breakeven::report {
namespace {

struct VerdictColour {
  std::string_view beginning;
  fmt::terminal_color colour;
};
constexpr std::array colours{VerdictColour{"pays", fmt::terminal_color::green},
                             VerdictColour{"faster", fmt::terminal_color::green},
                             VerdictColour{"does not pay", fmt::terminal_color::red},
                             VerdictColour{"slower", fmt::terminal_color::red},
                             VerdictColour{"undecided", fmt::terminal_color::yellow}};

}  // namespace

std::string strong(std::string_view text, Ink ink) {
  return ink == Ink::plain ? std::string(text) : fmt::format(fmt::emphasis::bold, "{}", text);
}

std::string verdict_text(std::string_view text, Ink ink) {
  if (ink == Ink::plain) return std::string(text);
  for (const VerdictColour& one : colours)
    if (text.starts_with(one.beginning)) return fmt::format(fmt::fg(one.colour), "{}", text);
  return std::string(text);
}

}  // namespace breakeven::report
