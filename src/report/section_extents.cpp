// SPDX-License-Identifier: Apache-2.0
#include "src/report/section_extents.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "src/report/overview.h"

namespace breakeven::report {
namespace {

constexpr std::size_t most_lines_in_whole = 12;  // of a table in a report in brief

bool has_phases_done(const analysis::CaseResult& result) {
  return result.measured->phases != nullptr && !result.measured->phases->done.empty();
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

bool is_short(const BreakEvenCount& count) {
  return count.all <= most_lines_in_whole || count.of_fastest == 0;
}

Extent answers_are_brief(const analysis::FileAnalysis& analysis) {
  return whole_if(answers_are_all_brief(analysis), Extent::part);
}

bool has_break_evens(const analysis::FileAnalysis& analysis) { return count_break_evens(analysis).all > 0; }

Extent break_evens_in_brief(const analysis::FileAnalysis& analysis) {
  const BreakEvenCount count = count_break_evens(analysis);
  return whole_if(is_short(count) || count.of_fastest == count.all, Extent::part);
}

Extent speed_in_brief(const analysis::FileAnalysis&, const analysis::Group& group) {
  return whole_if(is_short(group), Extent::part);
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

Extent autotuning_in_brief(const analysis::FileAnalysis&, const analysis::Group& group) {
  const bool has_candidates = std::ranges::any_of(group.choices, [](const analysis::JudgedChoice& choice) {
    return !choice.review.run->candidates.empty();
  });
  return whole_if(!has_candidates, Extent::part);
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
  return any_line(group.lines,
                  [](const analysis::CaseResult& line) { return line.loss && line.loss->has_parts(); });
}

Extent budget_in_brief(const analysis::FileAnalysis&, const analysis::Group&) { return Extent::part; }

bool has_rank_work(const analysis::FileAnalysis&, const analysis::Group& group) {
  return !group.rank_work.empty();
}

bool has_timelines(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.lines, [](const analysis::CaseResult& line) {
    const analysis::MeasuredCase* base = line.comparison.base;
    return has_phases_done(line) && base != nullptr && base->phases != nullptr && !base->phases->done.empty();
  });
}

bool has_memory(const analysis::FileAnalysis&, const analysis::Group& group) {
  return any_line(group.cases,
                  [](const analysis::CaseResult& one) { return !one.measured->timed().done.empty(); });
}

Extent memory_in_brief(const analysis::FileAnalysis& analysis, const analysis::Group&) {
  return whole_if(analysis.memory_limit_bytes() > 0, Extent::nothing);
}

Extent claims_are_counted(const analysis::FileAnalysis&) { return Extent::part; }

}  // namespace breakeven::report
