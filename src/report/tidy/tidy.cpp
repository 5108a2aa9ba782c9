// SPDX-License-Identifier: Apache-2.0
// The widest table: one row for each case and timing; keys name SI units. To add a column, add a row here.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/analysis/case_costs.h"
#include "src/analysis/case_exchange.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_case.h"
#include "src/report/words/launch_facts.h"
#include "src/report/words/machine.h"

namespace breakeven::report {

namespace {

// The clause of --target-ci that ended the case; of several launches the last one's.
std::string stopped_by(const OneCase& one) {
  const auto& done = one.summary.done;
  const StopReason reason = done.empty() ? StopReason::none : done.back()->stop;
  return reason == StopReason::none ? "" : reason == StopReason::precise ? "precise" : "repeats";
}

std::uint64_t runs_left_out(const OneCase& one) {
  const auto is_needless = [](const RecordedRun* run) { return analysis::is_needless(*run); };
  return static_cast<std::uint64_t>(std::ranges::count_if(one.summary.planned, is_needless));
}

CaseParts step_parts() {
  return {
      {datum("runs_planned", "", "of the case"), [](auto& one) { return one.summary.planned.size(); }},
      {columns::runs_done, [](auto& one) { return one.summary.done.size(); }},
      {datum("runs_left_out", "", "by `--target-ci`"), runs_left_out},
      {datum("stopped_by", "", "what ended the case: `precise` or `repeats`"), stopped_by},
      {columns::steps, [](auto& one) { return one.summary.steps; }},
      {columns::step_seconds,
       [](auto& one) {
         statistics::Interval mean = one.step().interval;
         mean.centre = one.step().mean_seconds;
         return mean;
       }},
      {columns::interval_covers, [](auto& one) { return scope_of(one.step().unit, one.step().interval.n); }},
      {columns::step_seconds_median, [](auto& one) { return one.step().median; }},
      {columns::step_seconds_p95, [](auto& one) { return one.step().p95; }},
      {columns::step_seconds_p99, [](auto& one) { return one.step().p99; }},
      {columns::samples_per_second, [](auto& one) { return one.step().samples_per_second; }},
      {columns::step_seconds_of_all_steps, [](auto& one) { return one.step().whole_mean_seconds; }},
      {columns::steps_set_aside, [](auto& one) { return one.step().set_aside_steps; }},
      {columns::effective_steps, [](auto& one) { return one.step().effective_steps; }},
      {datum("runs_judged", "", "long enough to judge whether they are steady"),
       [](auto& one) { return one.step().judged_runs; }},
      {columns::runs_with_late_warmup, [](auto& one) { return one.step().late_warmup_runs; }},
      {columns::runs_not_steady, [](auto& one) { return one.step().not_steady_runs; }},
      {datum("runs_mser_disagrees", "", "in which MSER-5 sets aside other steps, with an effect over 1 %"),
       [](auto& one) { return one.step().mser_disagrees_runs; }},
  };
}

double overhead_of_case(const OneCase& one) {
  for (const analysis::MeasuredCase& measured : one.analysis.cases()) {
    if (measured.total == &one.summary || measured.phases == &one.summary) return measured.timing_overhead();
  }
  return not_measured;
}

CaseParts reading_parts() {
  return {
      {columns::timing_overhead, overhead_of_case},
      {columns::exchange_bytes, [](auto& one) { return one.readings().exchange_bytes; }},
      {datum("exchange_calls", "", "of a step"), [](auto& one) { return one.readings().exchange_calls; }},
      {step_columns(over_steps),
       [](auto& one, TidyRow& row) { add_steps(over_steps, one.summary.done, analysis::all_ranks, row); }},
      {columns::peak_memory_bytes, [](auto& one) { return one.readings().peak_memory_bytes; }},
      {columns::device_memory_bytes, [](auto& one) { return one.readings().device_memory_bytes; }},
      {columns::utilization_percent, [](auto& one) { return one.readings().utilization_percent; }},
      {columns::busy_fraction, [](auto& one) { return one.readings().busy_fraction; }},
      {columns::sm_clock_hz, [](auto& one) { return one.readings().sm_clock_hz; }},
      {columns::temperature_celsius, [](auto& one) { return one.readings().temperature_celsius; }},
      {columns::power_watts, [](auto& one) { return one.readings().power_watts; }},
      {columns::joules_per_sample, [](auto& one) { return one.readings().energy.joules; }},
      {datum("energy_runs", "", "long enough for the energy counter"),
       [](auto& one) { return one.readings().energy.runs; }},
      {columns::throttle_reasons, [](auto& one) { return one.readings().throttle_reasons; }},
      {columns::settle_seconds, [](auto& one) { return one.settling().seconds; }},
      {columns::run_seconds, [](auto& one) { return one.settling().measured_seconds; }},
      {columns::steps_apart, [](auto& one) { return one.settling().steps_apart; }},
      {datum("unsettled_runs", "", "measured right after the warm-up"),
       [](auto& one) { return one.settling().unsettled; }},
      {datum("settled_runs", "", "step time and clock were steady before the measured steps"),
       [](auto& one) { return one.settling().settled; }},
      {datum("drifting_runs", "", "still drifted when `--settle` was over"),
       [](auto& one) { return one.settling().still_drifting; }},
      {columns::setup_seconds, [](auto& one) { return one.readings().setup_seconds; }},
      {columns::first_step_seconds, [](auto& one) { return one.readings().first_step_seconds; }},
      {step_columns(at_the_end),
       [](auto& one, TidyRow& row) { add_steps(at_the_end, one.summary.done, analysis::all_ranks, row); }},
      {datum("test_accuracy", "share", "after the last step"),
       [](auto& one) { return one.readings().test_accuracy; }},
      {datum("skipped_steps", "steps", "that overflowed in fp16 and changed no weight"),
       [](auto& one) { return one.readings().skipped_steps; }},
  };
}

CaseParts exchange_parts() {
  return {
      {datum("exchange_latency_seconds", "s", "latency of the exchange's formula"),
       [](auto& one) { return one.formula_seconds(&analysis::ExchangeTime::latency); }},
      {datum("exchange_bandwidth_seconds", "s", "time of its bytes by the formula"),
       [](auto& one) { return one.formula_seconds(&analysis::ExchangeTime::bandwidth); }},
      {datum("exchange_formula_seconds", "s", "both"),
       [](auto& one) { return one.result.exchange ? one.result.exchange->formula.seconds() : not_measured; }},
      {columns::bubble,
       [](auto& one) {
         const auto& idle = one.result.pipeline;
         return idle ? idle->pipeline.bubble() : not_measured;
       }},
      {columns::idle_share,
       [](auto& one) {
         const auto& idle = one.result.pipeline;
         return idle ? idle->measured.mean : not_measured;
       }},
  };
}

CaseParts memory_parts() {
  return {
      {columns::predicted_memory_bytes, [](auto& one) { return one.readings().predicted_memory_bytes; }},
      {columns::memory_bytes_a_row, [](auto& one) { return one.fit().bytes_a_row; }},
      {datum("memory_limit_bytes", "bytes", "`--memory-limit`"),
       [](auto& one) { return one.memory_limit(); }},
      {columns::fits,
       [](auto& one) {
         const bool is_known = !std::isnan(one.memory_limit()) && std::isfinite(one.fit().bytes);
         return is_known ? exact(one.fit().fits) : dash_cell();
       }},
      {columns::largest_batch, [](auto& one) { return one.fit().largest_batch; }},
  };
}

CaseParts steadiness_parts() {
  return {
      {columns::launch_seconds, [](auto& one) { return one.steadiness().launch_seconds; }},
      {columns::device_over_host, [](auto& one) { return one.steadiness().device_over_host; }},
      {datum("clock_disagreements", "", "runs in which the clocks are over 2 % apart"),
       [](auto& one) { return one.steadiness().clock_disagreements; }},
      {columns::outlier_runs,
       [](auto& one) {
         const auto& outliers = one.steadiness().outlier_runs;
         return outliers ? count_cell(outliers->count) : dash_cell();
       }},
      {columns::outlier_runs_all_ranks,
       [](auto& one) {
         const auto& outliers = one.steadiness().outlier_runs;
         return outliers ? count_cell(outliers->on_all_ranks) : dash_cell();
       }},
      {columns::slow_steps_all_ranks_share, [](auto& one) { return one.steadiness().slow_all_ranks_share; }},
      {columns::slow_steps_some_ranks_share,
       [](auto& one) { return one.steadiness().slow_some_ranks_share; }},
  };
}

// The file's machine, builds and commands stand in every row, since a CSV has no other place for them.
CaseParts provenance_parts() {
  return {
      {columns::machine, [](auto& one) { return machine_name(one.analysis.results()); }},
      {columns::revision,
       [](auto& one) { return in_all_launches(one.analysis.results(), &Launch::git_revision); }},
      {columns::command_line,
       [](auto& one) { return in_all_launches(one.analysis.results(), &Launch::command_line); }},
      {columns::file, [](auto& one) { return one.analysis.results().path; }},
  };
}

CaseParts case_parts() {
  CaseParts parts{{axis_columns(), [](auto& one, TidyRow& row) { add_axes(one.summary, row); }}};
  const auto add = [&](CaseParts more) { std::ranges::move(more, std::back_inserter(parts)); };
  add(step_parts());
  add(comparison_parts());
  add(quality_parts());
  parts.emplace_back(phase_columns(),
                     [](auto& one, TidyRow& row) { add_phases(one.summary.phases.mean, row); });
  for (auto* more :
       {reading_parts, exchange_parts, worth_parts, memory_parts, steadiness_parts, provenance_parts})
    add(more());
  return parts;
}

const TidyTable<OneCase> case_rows(
    {.command = "report", .json = "cases", .page = "report.md#csv-json-and-figures-of-merit"}, case_parts());

}  // namespace

ReportTable tidy_cases(const analysis::FileAnalysis& analysis) {
  ReportTable table = case_rows.empty();
  for (const analysis::CaseSummary* summary : summaries_in_order(analysis))
    case_rows.add({*summary, analysis.result_of(*summary), analysis}, table);
  return table;
}

}  // namespace breakeven::report
