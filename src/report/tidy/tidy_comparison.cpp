// SPDX-License-Identifier: Apache-2.0
// The columns of the widest table that compare a case with its baseline.
#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_case.h"

namespace breakeven::report {
namespace {

// A baseline's ratio to itself is 1 and has no interval.
statistics::Interval over_base(const OneCase& one, const statistics::Interval& ratio) {
  const analysis::CaseSummary* base = one.comparison().base_timed;
  if (base == nullptr || base->what != one.summary.what) return ratio;
  statistics::Interval plain;
  plain.centre = ratio.centre;
  plain.n = ratio.n;
  return plain;
}

}  // namespace

// The baseline's row is the one with this `case` and the same timing.
CaseParts comparison_parts() {
  return {
      {datum("case", "", "its name"), [](auto& one) { return path_of(one.summary.what); }},
      {words("baseline", "", "name of the case that it is compared with"),
       [](auto& one) {
         const analysis::CaseSummary* base = one.comparison().base_timed;
         return base == nullptr ? dash_cell() : Cell(path_of(base->what));
       }},
      {columns::base_step_seconds,
       [](auto& one) {
         const analysis::CaseSummary* base = one.comparison().base_timed;
         return base == nullptr ? not_measured : base->step.mean_seconds;
       }},
      {columns::base_samples_per_second,
       [](auto& one) {
         const analysis::CaseSummary* base = one.comparison().base_timed;
         return base == nullptr ? not_measured : base->step.samples_per_second;
       }},
      {columns::speedup_samples_per_second, [](auto& one) { return one.comparison().samples_per_second; }},
      {columns::speedup_base_samples_per_second,
       [](auto& one) { return one.comparison().base_samples_per_second; }},
      {columns::speedup, [](auto& one) { return over_base(one, one.comparison().speedup.ratio); }},
      {columns::speedup_unit, [](auto& one) { return word_of(one.comparison().speedup.unit); }},
      {datum("speedup_units", "", "how many of those"),
       [](auto& one) { return one.comparison().speedup.ratio.n; }},
      {columns::speedup_covers, [](auto& one) { return scope_of(one.comparison().speedup); }},
      {columns::efficiency, [](auto& one) { return one.comparison().efficiency; }},
      {columns::verdict, [](auto& one) { return verdict_word(one.summary.what, one.comparison().decision); }},
      {datum("more_units", "", "if undecided: repeats or launches that would decide with 80 % probability"),
       [](auto& one) { return one.comparison().decision.more_units; }},
      {columns::lossy, [](auto& one) { return exact(!is_exact(one.summary.what)); }},
  };
}

CaseParts quality_parts() {
  return {
      {datum("quality", "", "what `--until` asked for"), [](auto& one) { return one.analysis.quality(); }},
      {columns::quality_reached_runs, [](auto& one) { return one.quality().reached_runs; }},
      {columns::steps_to_quality, [](auto& one) { return one.quality().steps; }},
      {columns::samples_to_quality, [](auto& one) { return one.quality().samples.centre; }},
      {columns::seconds_to_quality, [](auto& one) { return one.quality().seconds; }},
      {columns::quality_speedup,
       [](auto& one) {
         return one.has_quality() ? over_base(one, one.comparison().quality_speedup.ratio)
                                  : statistics::Interval{};
       }},
      {datum("quality_verdict", "", "by time to the quality"),
       [](auto& one) {
         return verdict_word(one.summary.what,
                             one.has_quality() ? one.comparison().quality_decision : statistics::Decision{});
       }},
      {datum("evaluation_share", "share", "time of evaluations / measured steps; in no other number"),
       [](auto& one) { return one.quality().eval_share; }},
  };
}

CaseParts worth_parts() {
  return {
      {DeclaredColumns{columns::autotuning_seconds, columns::regret.with_interval(),
                       words("regret_verdict", "", "of the choice")},
       [](auto& one, TidyRow& row) { add_choice(one.summary, one.analysis, row); }},
      {faster_single_columns(), [](auto& one, TidyRow& row) { add_faster_single(one.result, row); }},
      {datum("ideal_speedup", "", "the number of GPUs"), [](auto& one) { return one.bounds().ideal; }},
      {datum("amdahl_speedup", "", "highest that the serial part allows"),
       [](auto& one) { return one.bounds().amdahl; }},
      {columns::serial_share, [](auto& one) { return one.bounds().serial_share; }},
      {datum("link_speedup", "", "highest that the exchange's bytes allow"),
       [](auto& one) { return one.bounds().link; }},
      {columns::gpu_seconds_per_sample, [](auto& one) { return one.result.costs.gpu_seconds; }},
      {columns::gpu_hours_gain, [](auto& one) { return over_base(one, one.gains().gpu_hours); }},
      {columns::gpu_hours_verdict, [](auto& one) { return word_of(one.gains().by_gpu_hours.verdict); }},
      {columns::cost_per_million_samples,
       [](auto& one) { return money_of_million(one.result.costs, one.analysis.price_an_hour()); }},
      {columns::energy_gain, [](auto& one) { return over_base(one, one.gains().energy); }},
      {columns::energy_verdict, [](auto& one) { return word_of(verdict_of(one.gains().energy)); }},
      {budget_columns(), [](auto& one, TidyRow& row) { add_budget(one.result, row); }},
  };
}

}  // namespace breakeven::report
