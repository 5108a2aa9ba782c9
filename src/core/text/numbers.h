// SPDX-License-Identifier: Apache-2.0
// Numbers as they are typed behind an option.
#pragma once

#include <cstdint>
#include <string_view>

namespace breakeven {

// "4MB", "512kB", "1.5GB", "100B", with 1 kB = 1000 bytes, and "4MiB" with 1024. At least one byte, a whole
// number of them. False, and `bytes` is as it was, where the text is none.
bool parse_bytes(std::string_view text, std::uint64_t& bytes);

// "90s", "30min", "2h", "1.5d": more than nothing. False, and `seconds` is as it was, where the text is none.
bool parse_duration(std::string_view text, double& seconds);

// A decimal number such as "0.9" or "1e-3". False where anything else stands there, or it is not finite.
bool parse_number(std::string_view text, float& number);

// "10-19" or "10": whole numbers, both ends included.
struct NumberRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// False, and `range` is as it was, where the text is none or ends before it begins.
bool parse_range(std::string_view text, NumberRange& range);

// A share between 0 and 1, both excluded: "5%" or "0.05". False, and `share` is as it was, where the text is
// none.
bool parse_share(std::string_view text, double& share);

}  // namespace breakeven
