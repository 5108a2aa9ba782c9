// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/bandwidth.h"

#include <cstdint>

#include "src/core/text/numbers.h"

namespace breakeven {

std::optional<double> parse_bandwidth(std::string_view text) {
  constexpr std::string_view a_second = "/s";
  std::uint64_t bytes = 0;
  if (!text.ends_with(a_second)) return std::nullopt;
  text.remove_suffix(a_second.size());
  if (!parse_bytes(text, bytes)) return std::nullopt;
  return static_cast<double>(bytes);
}

}  // namespace breakeven
