// SPDX-License-Identifier: Apache-2.0
// What else a case's runs recorded: memory, telemetry, energy, start-up times, clocks; reduced over runs and
// ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "src/analysis/step_times.h"
#include "src/core/records/results.h"
#include "src/hdf5/schema.h"
#include "src/statistics/interval.h"

namespace breakeven::analysis {

struct CaseSummary;

inline constexpr double clock_tolerance = 0.02;  // device's events against the host's clock

struct EnergyOfSample {
  statistics::Interval joules;  // of all ranks: total energy / all samples; bounds by SamplingUnit
  std::size_t runs = 0;         // those with energy of every rank; no other run counts
};

// From the runs that were long enough for the energy counter. `samples_a_step` over all GPUs.
EnergyOfSample summarize_energy(const std::vector<const RecordedRun*>& done, double samples_a_step);

// Means over runs and ranks unless said otherwise.
struct Readings {
  double peak_memory_bytes = not_measured;       // highest of all ranks and runs
  double predicted_memory_bytes = not_measured;  // the same
  double rows_memory_bytes = not_measured;       // the part of it that grows with a rank's rows
  double device_memory_bytes = not_measured;     // highest of all ranks and runs
  double utilization_percent = not_measured;
  double lowest_utilization_percent = not_measured;  // of the ranks, mean over runs
  double busy_fraction = not_measured;
  double sm_clock_hz = not_measured;
  double temperature_celsius = not_measured;  // highest of all ranks and runs
  double power_watts = not_measured;          // of one GPU
  EnergyOfSample energy;                      // of the runs that recorded it
  double throttle_reasons = not_measured;     // bits of all ranks and runs, or-ed
  double setup_seconds = not_measured;        // slowest rank, mean over runs
  double first_step_seconds = not_measured;   // slowest rank, mean over runs
  double exchange_bytes = not_measured;       // payload of one rank in one step
  double exchange_calls = not_measured;
  double test_accuracy = not_measured;  // mean over runs of the ranks' highest
  double skipped_steps = not_measured;  // mean over runs of the ranks' highest
};

// A run that did not settle is a burst if it ends sooner: before a power limit lowers the clock, which takes
// 0.5 to 1.5 s of work. A longer one is only not settled.
inline constexpr double longest_burst_seconds = 0.5;

// How long the runs trained before they were measured, and how long they were measured.
struct Settling {
  std::size_t unsettled = 0;               // runs measured right after the warm-up
  std::size_t bursts = 0;                  // the short ones of these
  std::size_t still_drifting = 0;          // runs that still drifted when the time for settling was over
  std::size_t settled = 0;                 // runs whose step time and clock were steady before that
  double seconds = not_measured;           // of settling, mean over runs and ranks
  double measured_seconds = not_measured;  // of all measured steps, mean over runs and ranks
  double steps_apart = not_measured;       // steps for which a recorded one stands, mean over runs
};

// How the clocks and the runs behaved.
struct Steadiness {
  double launch_seconds = not_measured;        // (host's clock - device's) / steps, mean over runs and ranks
  double device_over_host = not_measured;      // total seconds by the one over total seconds by the other
  std::size_t clock_disagreements = 0;         // runs in which any rank's clocks differ by more than 2 %
  std::optional<OutlierRuns> outlier_runs;     // kept in every total; nothing of too few runs
  double slow_all_ranks_share = not_measured;  // of all steps
  double slow_some_ranks_share = not_measured;
};

// All read `what`, `done`, `steps` and `step` of the summary. If one rank of one run lacks a value, the case
// has none; except energy, which short runs do not have.
Readings summarize_readings(const CaseSummary& summary);
Settling summarize_settling(const CaseSummary& summary);
Steadiness summarize_steadiness(const CaseSummary& summary);

// A per-step variable of these runs, on one rank or on all.
constexpr std::size_t all_ranks = static_cast<std::size_t>(-1);
double reduced(const std::vector<const RecordedRun*>& runs, std::vector<double> RunRecord::*values,
               hdf5::Reduction reduction, std::size_t rank = all_ranks);

// Of the case's transport and GPUs; mean over the launches of the runs done. Not measured for a case without
// communication, nor in older files, where it is part of the set-up.
double connect_seconds(const CaseSummary& summary, const Results& results);

// Connecting, set-up and first step, of the slowest rank.
double start_up_seconds(const CaseSummary& summary, const Results& results);

}  // namespace breakeven::analysis
