// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven {

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join_list(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string join_list(std::span<const std::string_view> parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace breakeven
