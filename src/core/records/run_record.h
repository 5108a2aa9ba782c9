// SPDX-License-Identifier: Apache-2.0
// Measurements of one rank in one run. NaN means "not measured", zero means "took no time".
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/core/as_whole.h"
#include "src/core/phase.h"

namespace breakeven {

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// Read from NVML around and within the measured steps; NaN on the host device and where NVML is absent.
struct Telemetry {
  double utilization_percent = not_measured;  // NVML's: share of time in which any kernel ran
  double sm_clock_hz = not_measured;
  double temperature_celsius = not_measured;
  double power_watts = not_measured;
  double energy_joules = not_measured;        // of the measured steps
  double throttle_reasons = not_measured;     // NVML's bit mask
  double device_memory_bytes = not_measured;  // used on the whole GPU, context and libraries included
};

// How the settling before the measured steps ended. The numbers are those of results files.
enum class SettleEnd {
  none = 0,        // there was none: the run was measured right after the warm-up
  steady = 1,      // step time and clock were steady, and stayed so in the measured steps
  time_limit = 2,  // they still drifted when --settle was over
};

struct RunRecord {
  explicit RunRecord(std::uint32_t steps)
      : steps(steps),
        seconds(steps * phase_count, not_measured),
        host_seconds(steps, not_measured),
        start_seconds(steps, not_measured),
        loss(steps, not_measured),
        staleness(steps, not_measured) {}

  double& at(std::uint32_t step, Phase phase) { return seconds[step * phase_count + index_of(phase)]; }
  double at(std::uint32_t step, Phase phase) const { return seconds[step * phase_count + index_of(phase)]; }

  std::uint32_t steps;  // room for so many; fewer were made where the quality was reached earlier
  // [step][phase], by the device's events; within a launch of several steps by its own clock (event_grid.h)
  std::vector<double> seconds;
  // [step], by the host's clock: from one launch to the next, divided by its steps
  std::vector<double> host_seconds;
  // [step], when it began, in seconds on the clock that all ranks share: rank 0's since the launch's start
  std::vector<double> start_seconds;
  // [step], this rank's share; the sum over ranks is the batch's mean loss. Of the first steps after the
  // warm-up, whatever else was trained before the measured ones: repeats of a case have the same.
  std::vector<double> loss;

  // [step], updates that others made between this rank's pull and push; not measured where ranks wait
  std::vector<double> staleness;

  // All measured steps by the host's clock, synchronised at both ends.
  double steps_host_seconds = not_measured;
  double steps_device_seconds = not_measured;  // the same by the device's events
  double setup_seconds = not_measured;         // start-up: replica, graph
  double first_step_seconds = not_measured;    // the first warm-up step alone, by the host's clock
  double warmup_seconds = not_measured;        // the other warm-up steps
  double busy_fraction = not_measured;         // share of the step in which the device worked, from events
  double peak_memory_bytes = not_measured;     // allocated by the program on the device, highest
  double predicted_memory_bytes =
      not_measured;                         // prediction of it, without the transport's memory and scratch
  double rows_memory_bytes = not_measured;  // its part that grows with the rank's rows
  double exchange_bytes = not_measured;     // payload this rank handed to the communicator in one step
  double exchange_calls = not_measured;     // calls of it in one step
  double test_accuracy = not_measured;      // of the data set's test part, after the last step
  double steps_a_launch = not_measured;     // measured steps; the last launch makes what is left
  double skipped_steps = not_measured;      // without an update, for fp16's overflow; warm-up included
  double steps_made = not_measured;         // measured steps; not measured: `steps`, in older files
  double steps_to_quality = not_measured;   // from the first warm-up step on; not measured: not reached
  double eval_seconds = not_measured;       // of evaluations between measured steps
  double start_uncertainty_seconds = not_measured;  // of start_seconds, for this rank's clocks
  double settle_seconds = not_measured;             // between warm-up and measured steps; 0: none
  double settle_steps = not_measured;
  double settle_end = not_measured;  // a SettleEnd
  // A recorded step stands for so many successive ones: its time is their mean; with phases, it is the last
  // of them. Not measured: 1.
  double steps_apart = not_measured;
  // Mean time of a step that a program's recorder took for itself (docs/own-loop.md); part of the step's
  // time.
  double recorder_seconds = not_measured;
  double last_loss = not_measured;         // this rank's share, of the last step that was trained
  double weights_checksum = not_measured;  // after that step (src/train/trained_weights.h)
  Telemetry telemetry;
};

// The number of steps with measurements.
inline std::uint32_t made_steps(const RunRecord& record) {
  const double room = record.steps;
  return record.steps_made <= room ? as_whole<std::uint32_t>(record.steps_made) : record.steps;
}

// Otherwise it was measured right after the warm-up.
inline bool has_settled(const RunRecord& record) { return record.settle_seconds > 0; }

inline std::uint32_t steps_apart(const RunRecord& record) {
  return record.steps_apart >= 1 ? as_whole<std::uint32_t>(record.steps_apart) : 1;
}

// All training steps from the first measured one to the last.
inline std::uint64_t trained_steps(const RunRecord& record) {
  return std::uint64_t{made_steps(record)} * steps_apart(record);
}

// Whether the last step's loss is finite, and that of the last recorded one. Training does not recover from
// NaN. A step that fp16 skips because of overflow may have an infinite loss, but the next step has a finite
// one.
inline bool ends_with_a_loss(const RunRecord& record) {
  const std::uint32_t steps = made_steps(record);
  return steps > 0 && std::isfinite(record.loss[steps - 1]) &&
         (!has_settled(record) || std::isfinite(record.last_loss));
}

}  // namespace breakeven
