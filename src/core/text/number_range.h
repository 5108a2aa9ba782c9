// SPDX-License-Identifier: Apache-2.0
// Whole numbers as a list with ranges, as in "1,8..4096".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace breakeven {

// A..B stands for A and each twice the one before, up to B. In rising order, each once. Nothing where a part
// is neither a whole number from 1 to `largest` nor such a range.
std::optional<std::vector<int>> parse_doublings(std::string_view text, int largest);

}  // namespace breakeven
