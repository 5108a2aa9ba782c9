// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/whole_number.h"

#include <charconv>

namespace breakeven {

std::optional<std::uint32_t> parse_count(std::string_view text, std::uint32_t largest) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > largest)
    return std::nullopt;
  return value;
}

}  // namespace breakeven
