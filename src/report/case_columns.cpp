// SPDX-License-Identifier: Apache-2.0
// The columns of the widest table: a row for each case and instrument. tidy.cpp fills them.
#include "src/core/phase.h"
#include "src/report/columns.h"

namespace breakeven {

DeclaredColumns axis_columns() {
  return {columns::model, columns::batch,      columns::gpus,          columns::strategy, columns::precision,
          columns::gemm,  columns::collective, columns::nccl_settings, columns::scaling,  columns::instrument,
          columns::graph, columns::data,       columns::parameters,    columns::chosen};
}

DeclaredColumns phase_columns() {
  DeclaredColumns columns;
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step)
      columns.push_back(datum(std::string(info.name) + "_seconds", "s", info.covers));
  }
  return columns;
}

DeclaredColumns case_columns() {
  return joined(
      {axis_columns(),
       {datum("runs_planned", "", "of the case"),
        columns::runs_done,
        datum("runs_left_out", "", "by `--target-ci`"),
        datum("stopped_by", "", "what ended the case: `precise` or `repeats`"),
        columns::steps,
        columns::step_seconds.with_interval(),
        columns::interval_unit,
        columns::step_seconds_median.with_interval(),
        columns::step_seconds_p95.with_interval(),
        columns::step_seconds_p99.with_interval(),
        columns::samples_per_second,
        columns::step_seconds_of_all_steps,
        columns::steps_set_aside,
        columns::effective_steps,
        datum("runs_judged", "", "long enough to judge whether they are steady"),
        columns::runs_with_late_warmup,
        columns::runs_not_steady,
        datum("runs_mser_disagrees", "", "in which MSER-5 sets aside other steps, with an effect over 1 %"),
        datum("case", "", "its name"),
        datum("baseline", "", "name of the case that it is compared with"),
        columns::base_step_seconds,
        columns::base_samples_per_second,
        columns::speedup.with_interval(),
        columns::speedup_unit,
        datum("speedup_units", "", "how many of those"),
        columns::efficiency,
        columns::verdict,
        datum("more_units", "", "of undecided: repeats or launches that would decide")},
       {datum("quality", "", "what `--until` asked for"), columns::quality_reached_runs,
        columns::steps_to_quality.with_interval(), columns::samples_to_quality,
        columns::seconds_to_quality.with_interval(), columns::quality_speedup.with_interval(),
        datum("quality_verdict", "", "by time to the quality"),
        datum("looking_share", "share", "time of evaluations / measured steps; in no other number")},
       phase_columns(),
       {columns::observer_cost,
        columns::exchange_bytes,
        datum("exchange_calls", "", "of a step"),
        columns::mean_staleness,
        columns::highest_staleness,
        columns::peak_memory_bytes,
        columns::device_memory_bytes,
        columns::utilization_percent,
        columns::busy_fraction,
        columns::sm_clock_hz,
        columns::temperature_celsius,
        columns::power_watts,
        columns::joules_per_sample.with_interval(),
        datum("energy_runs", "", "long enough for the energy counter"),
        columns::throttle_reasons,
        columns::setup_seconds,
        columns::first_step_seconds,
        datum("final_loss", "", "after the last step"),
        datum("test_accuracy", "share", "after the last step"),
        datum("skipped_steps", "steps", "that overflowed in fp16 and changed no weight")},
       {datum("exchange_latency_seconds", "s", "latency of the exchange's formula"),
        datum("exchange_bandwidth_seconds", "s", "time of its bytes by the formula"),
        datum("exchange_formula_seconds", "s", "both"), columns::bubble, columns::idle_share,
        columns::choosing_seconds, columns::regret.with_interval(),
        datum("regret_verdict", "", "of the choice"), datum("ideal_speedup", "", "the number of GPUs"),
        datum("amdahl_speedup", "", "highest that the serial part allows"), columns::serial_share,
        datum("link_speedup", "", "highest that the exchange's bytes allow"),
        columns::gpu_seconds_per_sample.with_interval(), columns::gpu_hours_gain.with_interval(),
        columns::gpu_hours_verdict, columns::cost_per_million_samples.with_interval(),
        columns::energy_gain.with_interval(), columns::energy_verdict},
       budget_columns(),
       {columns::predicted_memory_bytes, columns::memory_bytes_a_row,
        datum("memory_limit_bytes", "bytes", "`--memory-limit`"), columns::fits, columns::largest_batch,
        columns::launch_seconds, columns::device_over_host,
        datum("clock_disagreements", "", "runs in which the clocks are over 2 % apart"),
        columns::outlier_runs, columns::outlier_runs_all_ranks, columns::slow_steps_all_ranks_share,
        columns::slow_steps_some_ranks_share, columns::machine, columns::revision, columns::command_line,
        columns::file}});
}

}  // namespace breakeven
