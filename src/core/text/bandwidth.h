// SPDX-License-Identifier: Apache-2.0
// Bytes a second as they are typed.
#pragma once

#include <optional>
#include <string_view>

namespace breakeven {

// "50GB/s": a size of parse_bytes (numbers.h) and "/s". Nothing where the text is none.
std::optional<double> parse_bandwidth(std::string_view text);

}  // namespace breakeven
