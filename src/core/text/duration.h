// SPDX-License-Identifier: Apache-2.0
// A span of time as it is typed.
#pragma once

#include <optional>
#include <string_view>

namespace breakeven {

// "2us", "150ns", "3.5ms", "20s", "5min", "1h", in seconds: more than nothing. Nothing where the text is
// none.
std::optional<double> parse_duration(std::string_view text);

}  // namespace breakeven
