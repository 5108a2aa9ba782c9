// SPDX-License-Identifier: Apache-2.0
// The tidy tables: one row for each case and instrument, every axis a column, SI units in the columns' names.
#include <algorithm>
#include <cmath>
#include <functional>

#include "src/analysis/readings.h"
#include "src/report/axis_cell.h"
#include "src/report/columns.h"
#include "src/report/machine.h"
#include "src/report/sections.h"
#include "src/report/tidy_row.h"

namespace breakeven {

void add_axes(const analysis::CaseSummary& summary, TidyRow& row) {
  for (const AxisInfo& info : axes()) {
    if (info.axis == Axis::chosen) row.add("parameters", summary.parameters);  // belongs to the model
    row.add(std::string(info.key), axis_cell(info.axis, summary.what));
  }
}

namespace {

// The clause of --target-ci that ended the case; of several launches the last one's.
std::string stopped_by(const analysis::CaseSummary& summary) {
  const StopReason reason = summary.done.empty() ? StopReason::none : summary.done.back()->stop;
  return reason == StopReason::none ? "" : reason == StopReason::precise ? "precise" : "repeats";
}

void add_step(const analysis::CaseSummary& summary, TidyRow& row) {
  const analysis::StepTimes& step = summary.step;
  row.add("runs_planned", summary.planned.size())
      .add("runs_done", summary.done.size())
      .add("runs_left_out",
           static_cast<std::uint64_t>(std::ranges::count_if(
               summary.planned, [](const RecordedRun* run) { return analysis::is_needless(*run); })))
      .add("stopped_by", Cell(stopped_by(summary)))
      .add("steps", summary.steps)
      .add("step_seconds", step.mean_seconds)
      .add("step_seconds_low", step.interval.low)
      .add("step_seconds_high", step.interval.high)
      .add("interval_unit", Cell(word_of(step.unit)));
  row.add("step_seconds_median", step.median)
      .add("step_seconds_p95", step.p95)
      .add("step_seconds_p99", step.p99)
      .add("samples_per_second", step.samples_per_second)
      .add("step_seconds_of_all_steps", step.whole_mean_seconds)
      .add("steps_set_aside", step.set_aside_steps)
      .add("effective_steps", step.effective_steps)
      .add("runs_judged", step.judged_runs)
      .add("runs_with_late_warmup", step.late_warmup_runs)
      .add("runs_not_steady", step.not_steady_runs)
      .add("runs_mser_disagrees", step.mser_disagrees_runs);
}

// The baseline's row is the one with this `case` and the same timing.
void add_comparison(const analysis::CaseSummary& summary, const analysis::Comparison& comparison,
                    TidyRow& row) {
  const analysis::CaseSummary* base = comparison.base_timed;
  row.add("case", path_of(summary.what))
      .add("baseline", base == nullptr ? Cell("", Cell::Value{}) : Cell(path_of(base->what)))
      .add("base_step_seconds", base == nullptr ? not_measured : base->step.mean_seconds)
      .add("base_samples_per_second", base == nullptr ? not_measured : base->step.samples_per_second)
      .add("speedup", comparison.speedup.ratio)
      .add("speedup_unit", Cell(word_of(comparison.speedup.unit)))
      .add("speedup_units", comparison.speedup.ratio.n)
      .add("efficiency", comparison.efficiency)
      .add("verdict", Cell(verdict_word(summary.what, comparison.decision)))
      .add("more_units", comparison.decision.more_units);
}

// Nothing is measured where the launches did not train until one and the same quality.
void add_quality(const analysis::CaseSummary& summary, const analysis::Comparison& comparison,
                 const analysis::FileAnalysis& analysis, TidyRow& row) {
  const bool is_one = !analysis.quality().empty();
  const analysis::TimeToQuality quality = is_one ? summary.quality : analysis::TimeToQuality{};
  const Interval ratio = is_one ? comparison.quality_speedup.ratio : Interval{};
  const Decision decision = is_one ? comparison.quality_decision : Decision{};
  row.add("quality", Cell(analysis.quality()))
      .add("quality_reached_runs", quality.reached_runs)
      .add("steps_to_quality", quality.steps)
      .add("samples_to_quality", quality.samples.centre)
      .add("seconds_to_quality", quality.seconds)
      .add("quality_speedup", ratio)
      .add("quality_verdict", Cell(verdict_word(summary.what, decision)))
      .add("looking_share", quality.eval_share);
}

void add_phases(const analysis::PhaseSeconds& seconds, TidyRow& row) {
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step)
      row.add(std::string(info.name) + "_seconds", seconds[index_of(info.phase)]);
  }
}

void add_readings(const analysis::Readings& readings, TidyRow& row) {
  row.add("exchange_bytes", readings.exchange_bytes)
      .add("exchange_calls", readings.exchange_calls)
      .add("mean_staleness", readings.mean_staleness)
      .add("highest_staleness", readings.highest_staleness)
      .add("peak_memory_bytes", readings.peak_memory_bytes)
      .add("device_memory_bytes", readings.device_memory_bytes)
      .add("utilization_percent", readings.utilization_percent)
      .add("busy_fraction", readings.busy_fraction)
      .add("sm_clock_hz", readings.sm_clock_hz)
      .add("temperature_celsius", readings.temperature_celsius)
      .add("power_watts", readings.power_watts)
      .add("joules_per_sample", readings.energy.joules)
      .add("energy_runs", readings.energy.runs)
      .add("throttle_reasons", readings.throttle_reasons)
      .add("setup_seconds", readings.setup_seconds)
      .add("first_step_seconds", readings.first_step_seconds)
      .add("final_loss", readings.final_loss)
      .add("test_accuracy", readings.test_accuracy)
      .add("skipped_steps", readings.skipped_steps);
}

void add_exchange(const analysis::SummaryResult& result, TidyRow& row) {
  const analysis::ExchangeTime formula =
      result.exchange ? result.exchange->formula : analysis::ExchangeTime{not_measured, not_measured};
  const std::optional<analysis::PipelineIdle>& idle = result.pipeline;
  row.add("exchange_latency_seconds", formula.latency)
      .add("exchange_bandwidth_seconds", formula.bandwidth)
      .add("exchange_formula_seconds", formula.seconds())
      .add("bubble", idle ? idle->pipeline.bubble() : not_measured)
      .add("idle_share", idle ? idle->measured.mean : not_measured);
}

void add_memory(const analysis::CaseSummary& summary, const analysis::FileAnalysis& analysis, TidyRow& row) {
  const bool has_limit = analysis.memory_limit_bytes() > 0;
  const double limit = has_limit ? static_cast<double>(analysis.memory_limit_bytes()) : not_measured;
  const analysis::MemoryFit& fit = analysis.result_of(summary).memory;
  const bool is_known = has_limit && std::isfinite(fit.bytes);
  row.add("predicted_memory_bytes", summary.readings.predicted_memory_bytes)
      .add("memory_bytes_a_row", fit.bytes_a_row)
      .add("memory_limit_bytes", limit)
      .add("fits", is_known ? exact(fit.fits) : Cell("", Cell::Value{}))
      .add("largest_batch", fit.largest_batch);
}

void add_steadiness(const analysis::Steadiness& steadiness, TidyRow& row) {
  row.add("launch_seconds", steadiness.launch_seconds)
      .add("device_over_host", steadiness.device_over_host)
      .add("clock_disagreements", steadiness.clock_disagreements)
      .add("outlier_runs", steadiness.outlier_runs.count)
      .add("outlier_runs_all_ranks", steadiness.outlier_runs.on_all_ranks)
      .add("slow_steps_all_ranks_share", steadiness.slow_all_ranks_share)
      .add("slow_steps_some_ranks_share", steadiness.slow_some_ranks_share);
}

double timing_overhead_of(const analysis::CaseSummary& summary, const analysis::FileAnalysis& analysis) {
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    if (measured.total == &summary || measured.phases == &summary) return measured.timing_overhead();
  }
  return not_measured;
}

// The file's machine, builds and commands stand in every row, since a CSV has no other place for them.
void add_provenance(const Results& results, TidyRow& row) {
  const auto joined = [&](auto word) {
    std::string text;
    std::string last;
    for (const Launch& launch : results.launches) {
      if (word(launch) == last) continue;
      last = word(launch);
      text += (text.empty() ? "" : " ; ") + last;
    }
    return Cell(text);
  };
  row.add("machine", Cell(machine_name(results)))
      .add("revision", joined([](const Launch& launch) { return launch.git_revision; }))
      .add("command_line", joined([](const Launch& launch) { return launch.command_line; }))
      .add("file", Cell(results.path));
}

// As the report for people lists them, total before phases.
std::vector<const analysis::CaseSummary*> in_order(const analysis::FileAnalysis& analysis) {
  std::vector<const analysis::CaseSummary*> summaries;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& result : group.cases) {
      for (const analysis::CaseSummary* summary : {result.measured->total, result.measured->phases}) {
        if (summary != nullptr) summaries.push_back(summary);
      }
    }
  }
  return summaries;
}

const DeclaredTable declared_cases{
    {.command = "report", .json = "cases", .page = "report.md#for-machines", .columns = case_columns()}};
const DeclaredTable declared_ranks{
    {.command = "report",
     .json = "ranks",
     .page = "report.md#communication",
     .columns = joined({axis_columns(),
                        {columns::rank},
                        phase_columns(),
                        {columns::step_seconds, columns::mean_staleness, columns::highest_staleness}})}};

}  // namespace

ReportTable tidy_cases(const analysis::FileAnalysis& analysis) {
  ReportTable table = declared_cases.empty();
  for (const analysis::CaseSummary* summary : in_order(analysis)) {
    TidyRow row;
    add_axes(*summary, row);
    add_step(*summary, row);
    const analysis::SummaryResult& result = analysis.result_of(*summary);
    add_comparison(*summary, result.comparison, row);
    add_quality(*summary, result.comparison, analysis, row);
    add_phases(summary->phases.mean, row);
    row.add("observer_cost", timing_overhead_of(*summary, analysis));
    add_readings(summary->readings, row);
    add_exchange(result, row);
    add_choice(*summary, analysis, row);
    add_bounds(result, row);
    add_costs(result, analysis, row);
    add_budget(result, row);
    add_memory(*summary, analysis, row);
    add_steadiness(summary->steadiness, row);
    add_provenance(analysis.results(), row);
    append(std::move(row), table);
  }
  return table;
}

ReportTable tidy_ranks(const analysis::FileAnalysis& analysis) {
  ReportTable table = declared_ranks.empty();
  for (const analysis::CaseSummary* summary : in_order(analysis)) {
    for (std::size_t rank = 0; rank < summary->phases.by_rank.size(); ++rank) {
      TidyRow row;
      add_axes(*summary, row);
      row.add("rank", rank);
      add_phases(summary->phases.by_rank[rank], row);
      const analysis::Staleness staleness = analysis::staleness_of(summary->done, rank);
      row.add("step_seconds", summary->phases.by_rank[rank][index_of(Phase::step)])
          .add("mean_staleness", staleness.mean)
          .add("highest_staleness", staleness.highest);
      append(std::move(row), table);
    }
  }
  return table;
}

}  // namespace breakeven
