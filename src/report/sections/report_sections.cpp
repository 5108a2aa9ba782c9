// SPDX-License-Identifier: Apache-2.0
#include "src/report/sections/report_sections.h"

#include <fmt/format.h>

namespace breakeven::report {
namespace {

template <typename Write>
std::vector<std::string> of_all_sections(Write write) {
  std::vector<std::string> words;
  for (const FileSection& section : first_sections()) words.push_back(write(section));
  for (const GroupSection& section : group_sections()) words.push_back(write(section));
  for (const FileSection& section : last_sections()) words.push_back(write(section));
  return words;
}

}  // namespace

std::vector<std::string> section_names() {
  return of_all_sections([](const auto& section) { return std::string(section.name); });
}

std::vector<std::string> described_sections() {
  return of_all_sections(
      [](const auto& section) { return fmt::format("{} ({})", section.name, section.holds); });
}

}  // namespace breakeven::report
