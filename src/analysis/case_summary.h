// SPDX-License-Identifier: Apache-2.0
// All runs of one case, reduced to the numbers that are printed. docs/report.md gives each one's formula.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/analysis/energy.h"
#include "src/analysis/run_summary.h"
#include "src/analysis/step_times.h"
#include "src/core/records/results.h"
#include "src/statistics/interval.h"

namespace breakeven::analysis {

inline constexpr double clock_tolerance = 0.02;            // device's events against the host's clock
inline constexpr double timing_overhead_tolerance = 0.05;  // phases against total

// Means over all runs and steps, of each phase: over all ranks, and rank by rank.
using PhaseSeconds = std::array<double, phase_count>;
struct PhaseTimes {
  PhaseSeconds mean;
  std::vector<PhaseSeconds> by_rank;
};

// What else was read of devices and program: means over runs and ranks unless said otherwise.
struct Readings {
  double peak_memory_bytes = not_measured;       // highest of all ranks and runs
  double predicted_memory_bytes = not_measured;  // the same
  double rows_memory_bytes = not_measured;       // of it, what grows with a rank's rows
  double device_memory_bytes = not_measured;     // highest of all ranks and runs
  double utilization_percent = not_measured;
  double busy_fraction = not_measured;
  double sm_clock_hz = not_measured;
  double temperature_celsius = not_measured;  // highest of all ranks and runs
  double power_watts = not_measured;          // of one GPU
  EnergyOfSample energy;                      // of the runs that have it
  double throttle_reasons = not_measured;     // bits of all ranks and runs, or-ed
  double setup_seconds = not_measured;        // slowest rank, mean over runs
  double first_step_seconds = not_measured;   // slowest rank, mean over runs
  double exchange_bytes = not_measured;       // payload of one rank in one step
  double exchange_calls = not_measured;
  double mean_staleness = not_measured;     // of an update, over steps, ranks and runs
  double highest_staleness = not_measured;  // the same
  double test_accuracy = not_measured;      // mean over runs of the ranks' highest
  double skipped_steps = not_measured;      // mean over runs of the ranks' highest
  double final_loss = not_measured;         // of the last step, summed over ranks, mean over runs
};

// What it takes to train until a quality is reached, the warm-up steps counted like the others: they teach
// the model as much. The means are over the runs, and not measured unless all of them have reached it: to
// leave out those that have not would flatter.
struct TimeToQuality {
  std::size_t reached_runs = 0;
  std::vector<double> run_seconds;  // [done run] steps to it times the run's mean step; NaN: not reached
  Interval steps;
  Interval samples;
  Interval seconds;
  double eval_share = not_measured;  // of looks, over the time of the measured steps; in neither
};

// How the clocks and the runs behaved.
struct Steadiness {
  double launch_seconds = not_measured;        // (host's clock - device's) / steps, mean over runs and ranks
  double device_over_host = not_measured;      // total seconds by the one over total seconds by the other
  std::size_t clock_disagreements = 0;         // runs in which any rank's clocks differ by more than 2 %
  OutlierRuns outlier_runs;                    // kept in every total
  double slow_all_ranks_share = not_measured;  // of all steps
  double slow_some_ranks_share = not_measured;
};

struct CaseSummary {
  Case what;
  std::uint64_t parameters = 0;
  std::vector<const RecordedRun*> planned;  // of the Results it was made from, which must live as long
  std::vector<const RecordedRun*> done;
  std::size_t steps = 0;  // of all done runs
  StepTimes step;
  PhaseTimes phases;
  TimeToQuality quality;
  Readings readings;
  Steadiness steadiness;
};

CaseSummary summarize_case(const Case& what, const std::vector<const RecordedRun*>& planned);

// One summary for each different case of the file, in the order of first appearance.
std::vector<CaseSummary> summarize_cases(const Results& results);

}  // namespace breakeven::analysis
