// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/number_range.h"

#include <set>

#include "src/core/text/lists.h"
#include "src/core/text/whole_number.h"

namespace breakeven {

std::optional<std::vector<int>> parse_doublings(std::string_view text, int largest) {
  constexpr std::string_view dots = "..";
  std::set<int> numbers;
  for (const std::string& part : split_list(text)) {
    const std::size_t end = part.find(dots);
    const auto first =
        parse_count(std::string_view(part).substr(0, end), static_cast<std::uint32_t>(largest));
    const auto last = end == part.npos ? first
                                       : parse_count(std::string_view(part).substr(end + dots.size()),
                                                     static_cast<std::uint32_t>(largest));
    if (!first || !last || *first > *last) return std::nullopt;
    for (std::int64_t number = *first; number <= *last; number *= 2) numbers.insert(static_cast<int>(number));
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

}  // namespace breakeven
