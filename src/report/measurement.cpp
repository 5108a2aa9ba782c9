// SPDX-License-Identifier: Apache-2.0
// How well it was measured, whether the runs became steady, what the start took, and the state of the
// devices.
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/readings.h"
#include "src/core/strategy/case_strategy.h"
#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/sections.h"
#include "src/report/throttle.h"

namespace breakeven::report {
namespace {

const analysis::CaseSummary* phases_or_null(const analysis::MeasuredCase& measured) {
  return measured.phases == nullptr || measured.phases->done.empty() ? nullptr : measured.phases;
}

std::string number_with_unit(double value, double scale, int decimals, std::string_view unit) {
  return std::isfinite(value) ? fmt::format("{:.{}f} {}", value * scale, decimals, unit) : std::string(dash);
}

// Outliers and clocks are those of the timed runs.
std::vector<Cell> quality_row(const analysis::MeasuredCase& measured, const analysis::Group& group) {
  const analysis::CaseSummary& timed = measured.timed();
  const analysis::CaseSummary* phases = phases_or_null(measured);
  const analysis::Steadiness& steadiness = timed.steadiness;
  return {batch_cell(measured.what),
          strategy_of(measured.what, group),
          format_percent(measured.timing_overhead()),
          format_seconds(phases == nullptr ? not_measured : phases->phases.mean[index_of(Phase::overhead)]),
          format_seconds(steadiness.launch_seconds),
          std::isfinite(steadiness.device_over_host) ? fmt::format("{:.4f}", steadiness.device_over_host)
                                                     : std::string(dash),
          fmt::format("{} of {}", steadiness.outlier_runs.count, timed.done.size()),
          fmt::format("{}", steadiness.outlier_runs.on_all_ranks),
          format_percent(steadiness.slow_all_ranks_share),
          format_percent(steadiness.slow_some_ranks_share)};
}

// Training S samples takes F + S / rate; the two lines cross at S, which is S / batch steps.
std::string earned_back(const analysis::CaseResult& line, const Results& results) {
  const analysis::Comparison& comparison = line.comparison;
  const bool pays = line.measured->what.gpus > 1 && comparison.decision.verdict == statistics::Payoff::pays;
  if (!pays) return std::string(dash);
  const analysis::CaseSummary& many = *comparison.timed;
  const analysis::CaseSummary& one = *comparison.base_timed;
  const double extra_seconds =
      analysis::start_up_seconds(many, results) - analysis::start_up_seconds(one, results);
  const double saved_a_sample = 1 / one.step.samples_per_second - 1 / many.step.samples_per_second;
  const double steps = extra_seconds / saved_a_sample / samples_a_step(many.what);
  if (!std::isfinite(steps)) return std::string(dash);
  return steps <= 0 ? "at once" : format_significant(std::ceil(steps), 3) + " steps";
}

std::string of_judged(std::size_t runs, const analysis::StepTimes& step) {
  return step.judged_runs == 0 ? std::string(dash) : fmt::format("{} of {}", runs, step.judged_runs);
}

}  // namespace

const DeclaredTable declared_quality{
    {.command = "report",
     .title = "Quality of measurement",
     .page = "report.md#quality-of-measurement",
     .columns = {columns::batch, columns::strategy, columns::timing_overhead, columns::overhead_seconds,
                 columns::launch_seconds, columns::device_over_host, columns::outlier_runs,
                 columns::outlier_runs_all_ranks, columns::slow_steps_all_ranks_share,
                 columns::slow_steps_some_ranks_share}}};

ReportTable quality_table(const analysis::Group& group) {
  ReportTable table = declared_quality.empty();
  for (const analysis::CaseResult& result : group.cases)
    table.rows.push_back(quality_row(*result.measured, group));
  return table;
}

const DeclaredTable declared_steadiness{
    {.command = "report",
     .title = "Within the runs: do they become steady, and how many independent steps are they worth?",
     .page = "report.md#within-the-runs",
     .columns = {columns::batch, columns::strategy, columns::runs_with_late_warmup, columns::runs_not_steady,
                 columns::steps_set_aside, columns::step_seconds_of_all_steps, columns::effective_steps,
                 columns::steps, columns::interval_unit}}};

ReportTable steadiness_table(const analysis::Group& group) {
  ReportTable table = declared_steadiness.empty();
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::CaseSummary& timed = measured->timed();
    const analysis::StepTimes& step = timed.step;
    table.rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                          of_judged(step.late_warmup_runs, step), of_judged(step.not_steady_runs, step),
                          format_count(step.set_aside_steps), format_seconds(step.whole_mean_seconds),
                          format_significant(step.effective_steps, 3), format_count(timed.steps),
                          word_of(step.unit)});
  }
  return table;
}

const DeclaredTable declared_start_up{
    {.command = "report",
     .title = "Start-up: before the measured steps, in none of the figures above",
     .page = "report.md#quality-of-measurement",
     .columns = {columns::batch, columns::strategy,
                 number("connecting", "Connec-\nting", "s", "of the transport, once a launch"),
                 columns::setup_seconds, columns::first_step_seconds,
                 number("earned_back", "Earned back after", "steps",
                        "until the faster steps make up for the longer start")}}};

ReportTable start_up_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  ReportTable table = declared_start_up.empty();
  const Results& results = analysis.results();
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::Readings& readings = measured->timed().readings;
    table.rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                          format_seconds(analysis::connect_seconds(measured->timed(), results)),
                          format_seconds(readings.setup_seconds), format_seconds(readings.first_step_seconds),
                          earned_back(result, results)});
  }
  return table;
}

// Of the runs that were long enough for the counter, where not all were.
std::string energy_cell(const analysis::CaseSummary& summary) {
  const analysis::EnergyOfSample& energy = summary.readings.energy;
  const std::string joules = number_with_unit(energy.joules.centre, 1e3, 3, "mJ");
  return energy.runs == 0 ? joules : joules + part_of_runs(energy.runs, summary.done.size());
}

const DeclaredTable declared_devices{
    {.command = "report",
     .title =
         "The devices: memory of the program and of the whole GPU, NVML's readings, share of a step at work",
     .page = "report.md#quality-of-measurement",
     .columns = {columns::batch, columns::strategy, columns::peak_memory_bytes.headed("Program\nmemory"),
                 columns::device_memory_bytes, columns::utilization_percent, columns::busy_fraction,
                 columns::sm_clock_hz, columns::temperature_celsius, columns::power_watts,
                 columns::joules_per_sample, columns::throttle_reasons}}};

ReportTable devices_table(const analysis::Group& group) {
  ReportTable table = declared_devices.empty();
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::Readings& readings = measured->timed().readings;
    const analysis::CaseSummary* phases = phases_or_null(*measured);
    table.rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                          format_bytes(readings.peak_memory_bytes),
                          format_bytes(readings.device_memory_bytes),
                          format_percent(readings.utilization_percent / 100),
                          format_percent(phases == nullptr ? not_measured : phases->readings.busy_fraction),
                          number_with_unit(readings.sm_clock_hz, 1e-6, 0, "MHz"),
                          number_with_unit(readings.temperature_celsius, 1, 0, "°C"),
                          number_with_unit(readings.power_watts, 1, 0, "W"), energy_cell(measured->timed()),
                          throttle_words(readings.throttle_reasons)});
  }
  return table;
}

}  // namespace breakeven::report
