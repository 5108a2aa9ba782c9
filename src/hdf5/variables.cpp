// SPDX-License-Identifier: Apache-2.0
// The table of variables (schema.h): coordinates, runs and their records, and its other parts behind them.
#include <algorithm>
#include <iterator>

#include "src/hdf5/variable_parts.h"

namespace breakeven {
namespace {

std::vector<Variable> coordinates() {
  using enum Dimension;
  return {
      // The coordinates stand first: netCDF numbers the dimensions in this order.
      {"rank", {rank}, "1", "rank in the launch", PlaceNumber{}},
      {"step", {step}, "1", "measured step, warm-up not counted", PlaceNumber{}},
      {"phase", {phase}, "", "part of a training step", PhaseName{}},
      {"peer", {peer}, "1", "rank at the other end of a link", PlaceNumber{}},
      {"launch", {launch}, "1", "start of the program", PlaceNumber{}},
      {"run", {run}, "", "label of the run", &RecordedRun::label},
      {"transport", {transport}, "", "transport", TransportName{}},
      {"group", {group}, "1", "ranks that communicate with each other", GroupRanks{}},
      {"operation", {operation}, "", "collective operation", OperationName{}},
      {"message", {message}, "B", "data that one call works on", MessageBytes{}},
      {"candidate", {candidate}, "1", "candidate that 'auto' chose among, by its index", PlaceNumber{}},
      {"product_precision", {product_precision}, "", "precision of a product", PrecisionName{}},
  };
}

std::vector<Variable> run_variables() {
  using enum Dimension;
  return {
      {"repeat", {run}, "1", "index among the runs of the same case in the launch", &PlannedRun::repeat},
      {"order", {run}, "1", "position in the launch's random order", &PlannedRun::order},
      {"launch_index", {run}, "1", "launch that the run belongs to", &RecordedRun::launch},
      {"warmup", {run}, "1", "steps before the measured ones", &RecordedRun::warmup},
      {"steps", {run}, "1", "measured steps planned", &RecordedRun::steps},
      {"parameters", {run}, "1", "parameters of the model, padding not counted", &RecordedRun::parameters},
      {"status", {run}, "1", "0 planned, 1 complete, 2 verified", &RecordedRun::status},
      {"stop",
       {run},
       "1",
       "why no run of the case followed: 1 precise enough, 2 all repeats made (--target-ci)",
       &RecordedRun::stop},

      {"seconds",
       {run, rank, step, phase},
       "s",
       "time in a phase by the device's events",
       &RunRecord::seconds},
      {"host_seconds",
       {run, rank, step},
       "s",
       "time of a step by the host's clock, from one launch to the next",
       &RunRecord::host_seconds},
      {"start_seconds",
       {run, rank, step},
       "s",
       "start of the step by a clock that all ranks share, from the start of the launch",
       &RunRecord::start_seconds},
      {"loss", {run, rank, step}, "1", "this rank's share of the batch's mean loss", &RunRecord::loss},
      {"staleness",
       {run, rank, step},
       "1",
       "updates of other ranks between this rank's pull and push; NaN for synchronous strategies",
       &RunRecord::staleness},
      {"steps_host_seconds",
       {run, rank},
       "s",
       "all measured steps by the host's clock",
       &RunRecord::steps_host_seconds},
      {"steps_device_seconds",
       {run, rank},
       "s",
       "all measured steps by the device's events",
       &RunRecord::steps_device_seconds},
      {"setup_seconds", {run, rank}, "s", "first-use cost: replica, graph", &RunRecord::setup_seconds},
      {"first_step_seconds", {run, rank}, "s", "first warm-up step alone", &RunRecord::first_step_seconds},
      {"warmup_seconds", {run, rank}, "s", "the other warm-up steps", &RunRecord::warmup_seconds},
      {"busy_fraction",
       {run, rank},
       "1",
       "fraction of the step in which the device was busy",
       &RunRecord::busy_fraction},
      {"peak_memory_bytes",
       {run, rank},
       "B",
       "highest sum of the program's allocations on the device",
       &RunRecord::peak_memory_bytes},
      {"exchange_bytes",
       {run, rank},
       "B",
       "payload handed to the communicator in one step",
       &RunRecord::exchange_bytes},
      {"exchange_calls",
       {run, rank},
       "1",
       "calls of the communicator in one step",
       &RunRecord::exchange_calls},
      {"test_accuracy",
       {run, rank},
       "1",
       "fraction of test samples classified correctly after the last step",
       &RunRecord::test_accuracy},
      {"skipped_steps",
       {run, rank},
       "1",
       "steps skipped because of fp16 overflow, warm-up included",
       &RunRecord::skipped_steps},
      {"steps_a_launch",
       {run, rank},
       "1",
       "steps per graph launch, timed by the device's own clock; 1: timed by events",
       &RunRecord::steps_a_launch},
      {"steps_made",
       {run, rank},
       "1",
       "measured steps completed; fewer than steps if the --until target was reached early",
       &RunRecord::steps_made},
      {"steps_to_quality",
       {run, rank},
       "1",
       "steps to the --until target, counted from the first warm-up step; NaN if it was not reached",
       &RunRecord::steps_to_quality},
      {"looking_seconds",
       {run, rank},
       "s",
       "time of evaluations between measured steps, not part of any step time",
       &RunRecord::eval_seconds},
      {"start_uncertainty_seconds",
       {run, rank},
       "s",
       "largest error of this rank's start_seconds",
       &RunRecord::start_uncertainty_seconds},
      {"predicted_memory_bytes",
       {run, rank},
       "B",
       "predicted peak_memory_bytes, without memory of the communication library and of streams",
       &RunRecord::predicted_memory_bytes},
      {"rows_memory_bytes",
       {run, rank},
       "B",
       "part of predicted_memory_bytes that grows with the rank's rows of the batch",
       &RunRecord::rows_memory_bytes},
      {"utilization_percent",
       {run, rank},
       "%",
       "fraction of time in which any kernel ran, by NVML",
       &Telemetry::utilization_percent},
      {"sm_clock_hz", {run, rank}, "Hz", "mean clock of the multiprocessors", &Telemetry::sm_clock_hz},
      {"temperature_celsius",
       {run, rank},
       "degC",
       "highest temperature of the GPU",
       &Telemetry::temperature_celsius},
      {"power_watts", {run, rank}, "W", "mean power", &Telemetry::power_watts},
      {"energy_joules", {run, rank}, "J", "energy of the measured steps", &Telemetry::energy_joules},
      {"throttle_reasons",
       {run, rank},
       "1",
       "NVML's bit mask of reasons for a lower clock, all samples or-ed",
       &Telemetry::throttle_reasons},
      {"device_memory_bytes",
       {run, rank},
       "B",
       "memory in use on the whole GPU, context and libraries included",
       &Telemetry::device_memory_bytes},
      {"checksum",
       {run, rank},
       "1",
       "FNV-1a checksum of the measured numbers of this rank in this run",
       RecordChecksum{}},
  };
}

}  // namespace

Variable variable_of(Axis axis) {
  const AxisInfo& info = info_of(axis);
  const auto source = std::visit([](auto member) -> Source { return member; }, info.member);
  const bool is_number = std::holds_alternative<std::uint32_t Case::*>(source) ||
                         std::holds_alternative<int Case::*>(source) ||
                         std::holds_alternative<bool Case::*>(source);
  return {info.variable, {Dimension::run}, is_number ? "1" : "", info.meaning, source};
}

const std::vector<Variable>& variables() {
  static const std::vector<Variable> table = [] {
    std::vector<Variable> all = coordinates();
    for (const AxisInfo& info : axes()) {
      if (!info.variable.empty() && info.axis != Axis::chosen) all.push_back(variable_of(info.axis));
    }
    std::ranges::move(run_variables(), std::back_inserter(all));
    std::ranges::move(launch_variables(), std::back_inserter(all));
    std::ranges::move(choice_variables(), std::back_inserter(all));
    return all;
  }();
  return table;
}

}  // namespace breakeven
