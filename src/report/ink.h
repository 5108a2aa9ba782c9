// SPDX-License-Identifier: Apache-2.0
// Colour on a terminal, by the control sequences of ECMA-48 ("Control Functions for Coded Character Sets",
// section 8.3.117).
#pragma once

#include <string>
#include <string_view>

namespace breakeven::report {

enum class Ink { plain, coloured };

std::string strong(std::string_view text, Ink ink);

// A verdict of a table, padded or not: green where it is good news, red where it is bad, yellow where it is
// undecided.
std::string verdict_text(std::string_view text, Ink ink);

}  // namespace breakeven::report
