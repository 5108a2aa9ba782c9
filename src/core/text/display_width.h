// SPDX-License-Identifier: Apache-2.0
// How many columns of a terminal a UTF-8 text takes, which is neither its bytes nor its characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace breakeven {

// Combining marks take none, East Asian wide characters two, all others one. A byte that is not UTF-8 takes
// one.
std::size_t display_width(std::string_view text);

// The text, or what of it is so wide with "…" behind it.
std::string cut_to_width(std::string_view text, std::size_t width);

// Blanks put behind, or in front, until the text is `width` columns wide; a longer text stays as it is.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at blanks; a longer word stays whole. `indent` stands in front of
// every line but the first.
std::string wrap(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace breakeven
