// SPDX-License-Identifier: Apache-2.0
// All runs of one case, reduced to the numbers that are printed. docs/report.md gives each one's formula.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/analysis/number_fault.h"
#include "src/analysis/readings.h"
#include "src/analysis/short_runs.h"
#include "src/analysis/step_times.h"
#include "src/core/records/results.h"
#include "src/statistics/interval.h"

namespace breakeven::analysis {

inline constexpr double timing_overhead_tolerance = 0.05;  // phases against total

// Means over all runs and steps, of each phase: over all ranks, and rank by rank.
using PhaseSeconds = std::array<double, phase_count>;
struct PhaseTimes {
  PhaseSeconds mean;
  std::vector<PhaseSeconds> by_rank;
};

// What it takes to train until a quality is reached. Warm-up steps count like the others, since they train
// the model as much. The means are over all runs, and not measured unless every run has reached the quality:
// leaving out the others would bias them.
struct TimeToQuality {
  std::size_t reached_runs = 0;
  std::vector<double> run_seconds;  // [done run] steps to it times the run's mean step; NaN: not reached
  statistics::Interval steps;
  statistics::Interval samples;
  statistics::Interval seconds;
  double eval_share = not_measured;  // evaluation over the measured steps; neither time contains it
};

struct CaseSummary {
  Case what;
  std::uint64_t parameters = 0;
  std::vector<const RecordedRun*> planned;  // of the Results it was made from, which must live as long
  NumberFault fault = NumberFault::none;
  std::vector<const RecordedRun*> done;  // none where the numbers cannot be right
  std::size_t steps = 0;                 // recorded in all done runs
  std::uint64_t trained_steps = 0;       // for which they stand
  StepTimes step;
  PhaseTimes phases;
  TimeToQuality quality;
  Readings readings;
  Settling settling;
  Steadiness steadiness;
  ShortRuns short_runs;  // of the done ones
};

// Whether any run was measured whose numbers can be right. Null: none was planned.
bool is_done(const CaseSummary* summary);
inline bool has_fault(const CaseSummary& summary) { return summary.fault != NumberFault::none; }

CaseSummary summarize_case(const Case& what, const std::vector<const RecordedRun*>& planned,
                           NumberFault fault = NumberFault::none);

// One summary for each different case of the file, in the order of first appearance. A case whose numbers
// cannot be right in one timing has no speed in either.
std::vector<CaseSummary> summarize_cases(const Results& results);

}  // namespace breakeven::analysis
