// SPDX-License-Identifier: Apache-2.0
// The sections of a report for people, in reading order: answers first, then of each group of cases what the
// answers rest on, then what concerns the whole file.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/report/document.h"
#include "src/report/section_extents.h"

namespace breakeven::report {

template <typename... Of>
struct Section {
  std::string_view name;   // of --sections
  std::string_view holds;  // in a few words
  std::function<void(Document&, Of...)> whole;
  std::function<void(Document&, Of...)> brief;  // in a brief report; empty: printed only if asked for
  // Both cheap, without rendering. Null where `brief` is `whole`, of which nothing is left out.
  bool (*has_content)(Of...) = nullptr;  // whether `whole` prints anything
  Extent (*in_brief)(Of...) = nullptr;   // of that content; null too where there is no `brief`
};
using FileSection = Section<const analysis::FileAnalysis&>;
using GroupSection = Section<const analysis::FileAnalysis&, const analysis::Group&>;

const std::vector<FileSection>& first_sections();   // before the groups (file_sections.cpp)
const std::vector<GroupSection>& group_sections();  // of each group (group_sections.cpp and tables)
const std::vector<FileSection>& last_sections();    // behind the groups (file_sections.cpp)

std::vector<std::string> section_names();
std::vector<std::string> described_sections();  // "speed (samples a second, speed-ups, verdicts)"

}  // namespace breakeven::report
