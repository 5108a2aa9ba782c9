// SPDX-License-Identifier: Apache-2.0
#include "src/report/section_extents.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "src/report/overview.h"
#include "src/report/verdicts.h"

namespace breakeven::report {
namespace {

constexpr std::size_t most_lines_in_whole = 12;  // of a table in a report in brief

bool has_phases_done(const analysis::CaseResult& result) {
  return analysis::is_done(result.measured->phases);
}

bool any_line(const analysis::CaseResults& lines,
              const std::function<bool(const analysis::CaseResult&)>& is) {
  return std::ranges::any_of(lines, is);
}

Extent whole_if(bool is_whole, Extent otherwise) { return is_whole ? Extent::whole : otherwise; }

bool is_compared(const analysis::CaseResult& line) {
  return line.comparison.timed != nullptr && line.comparison.base_timed != nullptr;
}

}  // namespace

bool always(const analysis::FileAnalysis&) { return true; }

bool has_groups(const analysis::FileAnalysis& analysis) { return !analysis.groups().empty(); }

bool has_cases(const analysis::FileAnalysis&, const analysis::Group& group) { return !group.cases.empty(); }

bool has_lines(const analysis::FileAnalysis&, const analysis::Group& group) { return !group.lines.empty(); }

bool has_phases(const analysis::FileAnalysis&, const analysis::Group& group) {
  return std::ranges::any_of(group.cases, has_phases_done);
}

bool exchanges(const analysis::Group& group) {
  return any_line(group.lines, [](const analysis::CaseResult& line) {
    const analysis::CaseSummary* phases = line.measured->phases;
    return phases != nullptr && phases->readings.exchange_calls > 0;
  });
}

bool is_short(const analysis::Group& group) { return group.lines.size() <= most_lines_in_whole; }

Extent answers_in_brief(const analysis::FileAnalysis& analysis) {
  return whole_if(verdicts_of(analysis).empty(), Extent::part);
}

Extent break_evens_in_brief(const analysis::FileAnalysis& analysis) {
  const bool is_whole =
      break_even_table_in_brief(analysis).rows.size() == break_even_table(analysis).rows.size();
  return whole_if(is_whole, Extent::part);
}

Extent speed_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  std::set<std::string> configurations;
  for (const analysis::CaseResult& line : group.lines)
    configurations.insert(strategy_of(line.measured->what, group));
  if (analysis.groups().size() > 1 || configurations.size() > most_lines_in_whole) return Extent::nothing;
  return whole_if(is_short(group) && fastest_table(group).rows.empty(), Extent::part);
}

bool has_costs(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, is_compared);
}

Extent costs_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group&) {
  return whole_if(analysis.price_an_hour() > 0, Extent::nothing);
}

bool has_autotuning(const analysis::FileAnalysis&, const analysis::Group& group) {
  return !group.choices.empty();
}

Extent autotuning_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  if (analysis.groups().size() > 1) return Extent::nothing;
  const bool has_candidates = std::ranges::any_of(group.choices, [](const analysis::JudgedChoice& choice) {
    return !choice.review.run->candidates.empty();
  });
  return whole_if(!has_candidates, Extent::part);
}

bool has_quality(const analysis::FileAnalysis& analysis, const analysis::Group&) {
  return !analysis.quality().empty();
}

Extent quality_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  return whole_if(analysis.groups().size() == 1 && is_short(group), Extent::part);
}

bool has_bounds(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, [](const analysis::CaseResult& line) {
    return !std::isnan(line.comparison.speedup.ratio.centre);
  });
}

bool has_strategy_overhead(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.on_one_gpu, is_compared);
}

bool has_communication(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, has_phases_done);
}

bool has_exchange(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  return exchanges(group) || any_line(group.lines, [&](const analysis::CaseResult& line) {
           if (!has_phases_done(line)) return false;
           const analysis::SummaryResult& result = analysis.result_of(*line.measured->phases);
           const bool has_row = result.exchange && !std::isnan(result.exchange->formula.seconds());
           return has_row || result.pipeline.has_value();
         });
}

bool has_budget(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, [](const analysis::CaseResult& line) { return line.loss.has_value(); });
}

bool has_rank_work(const analysis::FileAnalysis&, const analysis::Group& group) {
  return !group.rank_work.empty();
}

bool has_timelines(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, [](const analysis::CaseResult& line) {
    const analysis::MeasuredCase* base = line.comparison.base;
    return has_phases_done(line) && base != nullptr && analysis::is_done(base->phases);
  });
}

bool has_memory(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.cases,
                  [](const analysis::CaseResult& one) { return !one.measured->timed().done.empty(); });
}

Extent memory_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group&) {
  return whole_if(analysis.memory_limit_bytes() > 0, Extent::nothing);
}

}  // namespace breakeven::report
