// SPDX-License-Identifier: Apache-2.0
// Whether a section has anything to print, and how much of it the report in brief prints: known from the
// analysis, without rendering the section.
#pragma once

#include "src/report/sections.h"

namespace breakeven::report {

// How much of what a section holds the report in brief prints.
enum class Extent { nothing, part, whole };

// Whether a report in brief prints a row for each of its cases.
bool is_short(const analysis::Group& group);

// Whether any exchange was made in runs with phases.
bool exchanges(const analysis::Group& group);

// Of a whole file.
bool always(const analysis::FileAnalysis&);
bool has_groups(const analysis::FileAnalysis& analysis);
Extent answers_in_brief(const analysis::FileAnalysis& analysis);
Extent break_evens_in_brief(const analysis::FileAnalysis& analysis);

// Of a group.
bool has_cases(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_lines(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_phases(const analysis::FileAnalysis&, const analysis::Group& group);
Extent speed_in_brief(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_costs(const analysis::FileAnalysis&, const analysis::Group& group);
Extent costs_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group&);
bool has_autotuning(const analysis::FileAnalysis&, const analysis::Group& group);
Extent autotuning_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group& group);
bool has_quality(const analysis::FileAnalysis& analysis, const analysis::Group&);
Extent quality_in_brief(const analysis::FileAnalysis&, const analysis::Group&);
bool has_bounds(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_strategy_overhead(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_communication(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_exchange(const analysis::FileAnalysis& analysis, const analysis::Group& group);
bool has_budget(const analysis::FileAnalysis&, const analysis::Group& group);
Extent budget_in_brief(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_rank_work(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_timelines(const analysis::FileAnalysis&, const analysis::Group& group);
bool has_memory(const analysis::FileAnalysis&, const analysis::Group& group);
Extent memory_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group&);

}  // namespace breakeven::report
