// SPDX-License-Identifier: Apache-2.0
// The characters of UTF-8 text, without the locale.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace breakeven {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character of UTF-8
};

// The text is not empty. RFC 3629: the shortest form only, no surrogates, nothing above U+10FFFF.
CodePoint first_code_point(std::string_view text);

struct CodePointRange {
  char32_t first, last;  // both belong to it
};

constexpr bool lies_in(char32_t point, const auto& ranges) {
  return std::ranges::any_of(
      ranges, [=](const CodePointRange& range) { return range.first <= point && point <= range.last; });
}

}  // namespace breakeven
