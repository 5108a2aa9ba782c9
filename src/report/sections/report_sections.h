// SPDX-License-Identifier: Apache-2.0
// The sections of a report for people, in reading order: answers first, then of each group of cases what the
// answers rest on, then what concerns the whole file.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/format/document.h"
#include "src/report/sections/sections.h"
#include "src/report/words/verdicts.h"

namespace breakeven::report {

// What several sections need, made once. A section that needs no more than the analysis takes that.
struct AnalysedFile {
  const analysis::FileAnalysis& analysis;
  std::vector<Verdict> verdicts = verdicts_of(analysis);
  ReportTable break_evens_in_brief = break_even_table_in_brief(analysis);
  operator const analysis::FileAnalysis&() const { return analysis; }
};

template <typename... Of>
struct Section {
  std::string_view name;   // of --sections
  std::string_view holds;  // in a few words
  std::function<void(Document&, Of...)> whole;
  std::function<void(Document&, Of...)> brief = {};  // in a brief report; empty: printed only if asked for
  bool brief_names_rest = false;  // `brief` itself says what it leaves out, so that the report's end need not
};
using FileSection = Section<const AnalysedFile&>;
using GroupSection = Section<const AnalysedFile&, const analysis::Group&>;

const std::vector<FileSection>& first_sections();   // before the groups (file_sections.cpp)
const std::vector<GroupSection>& group_sections();  // of each group (group_sections.cpp and tables)
const std::vector<FileSection>& last_sections();    // behind the groups (file_sections.cpp)

std::vector<std::string> section_names();
std::vector<std::string> described_sections();  // "speed (samples a second, speed-ups, verdicts)"

}  // namespace breakeven::report
