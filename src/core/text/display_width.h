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

// The text, or its beginning with "…" where it is wider.
std::string cut_to_width(std::string_view text, std::size_t width);

// Lines of at most `width` columns, broken at blanks; a longer word stays whole. Every line but the first
// begins with `indent`.
std::string wrap(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace breakeven
