// SPDX-License-Identifier: Apache-2.0
// The widest table: one row for each case and timing; keys name SI units. To add a column, add a row here.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/analysis/case_costs.h"
#include "src/analysis/case_exchange.h"
#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/launch_facts.h"
#include "src/report/machine.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven::report {

namespace {

struct OneCase {
  const analysis::CaseSummary& summary;
  const analysis::SummaryResult& result;
  const analysis::FileAnalysis& analysis;

  const analysis::StepTimes& step() const { return summary.step; }
  const analysis::Comparison& comparison() const { return result.comparison; }
  const analysis::Readings& readings() const { return summary.readings; }
  const analysis::Settling& settling() const { return summary.settling; }
  const analysis::Steadiness& steadiness() const { return summary.steadiness; }
  analysis::SpeedupBounds bounds() const {
    return result.speaks_for == nullptr ? analysis::SpeedupBounds{} : result.speaks_for->bounds;
  }
  analysis::CostGains gains() const {
    return result.speaks_for == nullptr ? analysis::CostGains{} : result.speaks_for->gains;
  }
  // Nothing is measured where the launches did not train until one and the same quality.
  bool has_quality() const { return !analysis.quality().empty(); }
  analysis::TimeToQuality quality() const {
    return has_quality() ? summary.quality : analysis::TimeToQuality{};
  }
  double formula_seconds(double analysis::ExchangeTime::*part) const {
    return result.exchange ? result.exchange->formula.*part : not_measured;
  }
  double memory_limit() const {
    const std::uint64_t limit = analysis.memory_limit_bytes();
    return limit > 0 ? static_cast<double>(limit) : not_measured;
  }
  const analysis::MemoryFit& fit() const { return result.memory; }
};

using CasePart = TidyPart<OneCase>;
using CaseParts = std::vector<CasePart>;

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
      {columns::interval_unit, [](auto& one) { return word_of(one.step().unit); }},
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

// The baseline's row is the one with this `case` and the same timing.
CaseParts comparison_parts() {
  return {
      {datum("case", "", "its name"), [](auto& one) { return path_of(one.summary.what); }},
      {datum("baseline", "", "name of the case that it is compared with"),
       [](auto& one) {
         const analysis::CaseSummary* base = one.comparison().base_timed;
         return base == nullptr ? empty_cell() : Cell(path_of(base->what));
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
      {columns::speedup, [](auto& one) { return one.comparison().speedup.ratio; }},
      {columns::speedup_unit, [](auto& one) { return word_of(one.comparison().speedup.unit); }},
      {datum("speedup_units", "", "how many of those"),
       [](auto& one) { return one.comparison().speedup.ratio.n; }},
      {columns::efficiency, [](auto& one) { return one.comparison().efficiency; }},
      {columns::verdict, [](auto& one) { return verdict_word(one.summary.what, one.comparison().decision); }},
      {datum("more_units", "", "if undecided: repeats or launches that would decide"),
       [](auto& one) { return one.comparison().decision.more_units; }},
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
         return one.has_quality() ? one.comparison().quality_speedup.ratio : statistics::Interval{};
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

double timing_overhead_of(const OneCase& one) {
  for (const analysis::MeasuredCase& measured : one.analysis.cases()) {
    if (measured.total == &one.summary || measured.phases == &one.summary) return measured.timing_overhead();
  }
  return not_measured;
}

CaseParts reading_parts() {
  return {
      {columns::timing_overhead, timing_overhead_of},
      {columns::exchange_bytes, [](auto& one) { return one.readings().exchange_bytes; }},
      {datum("exchange_calls", "", "of a step"), [](auto& one) { return one.readings().exchange_calls; }},
      {columns::mean_staleness, [](auto& one) { return one.readings().mean_staleness; }},
      {columns::highest_staleness, [](auto& one) { return one.readings().highest_staleness; }},
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
      {datum("burst_runs", "", "measured right after the warm-up"),
       [](auto& one) { return one.settling().bursts; }},
      {datum("drifting_runs", "", "not steady when the time for settling was over"),
       [](auto& one) { return one.settling().still_drifting; }},
      {columns::setup_seconds, [](auto& one) { return one.readings().setup_seconds; }},
      {columns::first_step_seconds, [](auto& one) { return one.readings().first_step_seconds; }},
      {datum("final_loss", "", "after the last step"), [](auto& one) { return one.readings().final_loss; }},
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

CaseParts worth_parts() {
  return {
      {DeclaredColumns{columns::autotuning_seconds, columns::regret.with_interval(),
                       datum("regret_verdict", "", "of the choice")},
       [](auto& one, TidyRow& row) { add_choice(one.summary, one.analysis, row); }},
      {datum("ideal_speedup", "", "the number of GPUs"), [](auto& one) { return one.bounds().ideal; }},
      {datum("amdahl_speedup", "", "highest that the serial part allows"),
       [](auto& one) { return one.bounds().amdahl; }},
      {columns::serial_share, [](auto& one) { return one.bounds().serial_share; }},
      {datum("link_speedup", "", "highest that the exchange's bytes allow"),
       [](auto& one) { return one.bounds().link; }},
      {columns::gpu_seconds_per_sample, [](auto& one) { return one.result.costs.gpu_seconds; }},
      {columns::gpu_hours_gain, [](auto& one) { return one.gains().gpu_hours; }},
      {columns::gpu_hours_verdict, [](auto& one) { return word_of(one.gains().by_gpu_hours.verdict); }},
      {columns::cost_per_million_samples,
       [](auto& one) { return money_of_million(one.result.costs, one.analysis.price_an_hour()); }},
      {columns::energy_gain, [](auto& one) { return one.gains().energy; }},
      {columns::energy_verdict, [](auto& one) { return word_of(verdict_of(one.gains().energy)); }},
      {budget_columns(), [](auto& one, TidyRow& row) { add_budget(one.result, row); }},
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
         return is_known ? exact(one.fit().fits) : empty_cell();
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
      {columns::outlier_runs, [](auto& one) { return one.steadiness().outlier_runs.count; }},
      {columns::outlier_runs_all_ranks, [](auto& one) { return one.steadiness().outlier_runs.on_all_ranks; }},
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

const TidyTable<OneCase> case_rows({.command = "report", .json = "cases", .page = "report.md#for-machines"},
                                   case_parts());

}  // namespace

ReportTable tidy_cases(const analysis::FileAnalysis& analysis) {
  ReportTable table = case_rows.empty();
  for (const analysis::CaseSummary* summary : summaries_in_order(analysis))
    case_rows.add({*summary, analysis.result_of(*summary), analysis}, table);
  return table;
}

}  // namespace breakeven::report
