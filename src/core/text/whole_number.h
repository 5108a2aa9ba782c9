// SPDX-License-Identifier: Apache-2.0
// A whole number as an option gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace breakeven {

// Nothing where the text is no such number from 1 to `largest`, or anything stands behind it.
std::optional<std::uint32_t> parse_count(std::string_view text, std::uint32_t largest);

}  // namespace breakeven
