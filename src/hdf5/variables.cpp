// SPDX-License-Identifier: Apache-2.0
// The table of variables (schema.h). A row names a variable, its unit, its meaning and the member that holds
// its values; the function that makes the row stands for its dimensions.
#include <algorithm>
#include <iterator>

#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {
namespace {

// Marks a variable that older programs did not write: files without it stay readable.
constexpr bool later = true;

// Constants, since other files' tables are made of these rows before main begins.
template <Dimension... dimensions>
struct Rows {
  Variable operator()(std::string_view name, std::string_view units, std::string_view long_name,
                      Source source, bool is_addition = false) const {
    return {.name = name,
            .dimensions = {dimensions...},
            .units = units,
            .long_name = long_name,
            .source = std::move(source),
            .is_addition = is_addition};
  }
};

constexpr Rows<Dimension::run> per_run;
constexpr Rows<Dimension::run, Dimension::rank> per_rank;
constexpr Rows<Dimension::run, Dimension::rank, Dimension::step> per_step;
constexpr Rows<Dimension::run, Dimension::rank, Dimension::step, Dimension::phase> per_phase;
constexpr Rows<Dimension::run, Dimension::candidate> per_candidate;
constexpr Rows<Dimension::launch> per_launch;
constexpr Rows<Dimension::launch, Dimension::rank> per_device;
constexpr Rows<Dimension::launch, Dimension::rank, Dimension::peer> per_link;

Variable along(Dimension dimension, std::string_view units, std::string_view long_name, Source source,
               bool is_addition = false) {
  Variable variable = per_run(dimension_names[static_cast<std::size_t>(dimension)], units, long_name,
                              std::move(source), is_addition);
  variable.dimensions = {dimension};
  return variable;
}

Names names_in(const auto& words) { return {{words.begin(), words.end()}}; }

Names names_of_phases() {
  Names names;
  for (const PhaseInfo& info : phases) names.words.push_back(info.name);
  return names;
}

// netCDF numbers the dimensions in this order.
std::vector<Variable> coordinates() {
  using enum Dimension;
  return {
      along(rank, "1", "rank in the launch", Numbers{}),
      along(step, "1", "measured step, warm-up not counted", Numbers{}),
      along(phase, "", "part of a training step", names_of_phases()),
      along(peer, "1", "rank at the other end of a link", Numbers{}),
      along(launch, "1", "start of the program", Numbers{}),
      along(run, "", "label of the run", &RecordedRun::label),
      along(transport, "", "transport", names_in(probed_transports), later),
      along(group, "1", "ranks that communicate with each other", Numbers{smallest_group}, later),
      along(operation, "", "collective operation", names_in(std::span(collective_names).first(probed_kinds)),
            later),
      along(message, "B", "data that one call works on", MessageBytes{}, later),
      along(candidate, "1", "candidate that 'auto' chose among, by its index", Numbers{}, later),
      along(product_precision, "", "precision of a product", names_in(words_of<Precision>), later),
  };
}

Variable variable_of(const AxisInfo& info) {
  const auto source = std::visit([](auto member) -> Source { return member; }, info.member);
  const bool is_number = std::holds_alternative<std::uint32_t Case::*>(source) ||
                         std::holds_alternative<int Case::*>(source) ||
                         std::holds_alternative<bool Case::*>(source);
  return per_run(info.variable, is_number ? "1" : "", info.meaning, source, info.axis == Axis::chosen);
}

std::vector<Variable> axes_of_runs() {
  std::vector<Variable> all;
  for (const AxisInfo& info : axes()) {
    if (!info.variable.empty() && info.axis != Axis::chosen) all.push_back(variable_of(info));
  }
  return all;
}

std::vector<Variable> plan_of_runs() {
  return {
      per_run("repeat", "1", "index among the runs of the same case in the launch", &PlannedRun::repeat),
      per_run("order", "1", "position in the launch's random order", &PlannedRun::order),
      per_run("launch_index", "1", "launch that the run belongs to", &RecordedRun::launch),
      per_run("warmup", "1", "steps before the measured ones", &RecordedRun::warmup),
      per_run("steps", "1", "measured steps planned", &RecordedRun::steps),
      per_run("parameters", "1", "parameters of the model, padding not counted", &RecordedRun::parameters),
      per_run("status", "1", "0 planned, 1 complete, 2 verified", &RecordedRun::status),
      per_run("stop", "1",
              "why no run of the case followed: 1 precise enough, 2 all repeats made (--target-ci)",
              &RecordedRun::stop, later),
      per_run("label_checksum", "1", "FNV-1a checksum of the run's labels", LabelChecksum{}, later),
      per_run("label_checksum_next", "1", "the same, written before status or stop changes", LabelChecksum{},
              later),
  };
}

// The order of these rows is the order of the numbers in a record's checksum.
std::vector<Variable> measured_in_runs() {
  return {
      per_phase("seconds", "s", "time in a phase by the device's events", &RunRecord::seconds),
      per_step("host_seconds", "s", "time of a step by the host's clock, from one launch to the next",
               &RunRecord::host_seconds)
          .reported({{Reduction::mean, "mean_host_seconds", "s",
                      "mean time between launches of steps on the host, which runs ahead of a GPU"}}),
      // Not reported: these are moments, not durations. `breakeven trace` draws them.
      per_step("start_seconds", "s",
               "start of the step by a clock that all ranks share, from the start of the launch",
               &RunRecord::start_seconds, later),
      per_step("loss", "1",
               "this rank's share of the batch's mean loss, of the first steps after the warm-up",
               &RunRecord::loss)
          .reported({{Reduction::final_sum, "final_loss", "", "after the last step"}}),
      per_step("staleness", "1",
               "updates of other ranks between this rank's pull and push; NaN for synchronous strategies",
               &RunRecord::staleness, later)
          .reported({{Reduction::mean, "mean_staleness", "updates",
                      "mean staleness: updates by others between fetch and update"},
                     {Reduction::highest, "highest_staleness", "updates", "largest staleness"}}),
      per_rank("steps_host_seconds", "s", "all measured steps by the host's clock",
               &RunRecord::steps_host_seconds),
      per_rank("steps_device_seconds", "s", "all measured steps by the device's events",
               &RunRecord::steps_device_seconds),
      per_rank("setup_seconds", "s", "start-up: replica, graph", &RunRecord::setup_seconds),
      per_rank("first_step_seconds", "s", "first warm-up step alone", &RunRecord::first_step_seconds),
      per_rank("warmup_seconds", "s", "the other warm-up steps", &RunRecord::warmup_seconds),
      per_rank("busy_fraction", "1", "fraction of the step in which the device was busy",
               &RunRecord::busy_fraction),
      per_rank("peak_memory_bytes", "B", "highest sum of the program's allocations on the device",
               &RunRecord::peak_memory_bytes),
      per_rank("exchange_bytes", "B", "payload handed to the communicator in one step",
               &RunRecord::exchange_bytes),
      per_rank("exchange_calls", "1", "calls of the communicator in one step", &RunRecord::exchange_calls),
      per_rank("test_accuracy", "1", "fraction of test samples classified correctly after the last step",
               &RunRecord::test_accuracy),
      per_rank("skipped_steps", "1", "steps skipped because of fp16 overflow, warm-up included",
               &RunRecord::skipped_steps, later),
      per_rank("steps_a_launch", "1",
               "steps per graph launch, timed by the device's own clock; 1: timed by events",
               &RunRecord::steps_a_launch, later),
      per_rank("steps_made", "1",
               "measured steps completed; fewer than steps if the --until target was reached early",
               &RunRecord::steps_made, later),
      per_rank("steps_to_quality", "1",
               "steps to the --until target, counted from the first warm-up step; NaN if it was not reached",
               &RunRecord::steps_to_quality, later),
      per_rank("looking_seconds", "s",
               "time of evaluations between measured steps, not part of any step time",
               &RunRecord::eval_seconds, later),
      per_rank("start_uncertainty_seconds", "s", "largest error of this rank's start_seconds",
               &RunRecord::start_uncertainty_seconds, later),
      per_rank("predicted_memory_bytes", "B",
               "predicted peak_memory_bytes, without memory of the communication library and of streams",
               &RunRecord::predicted_memory_bytes, later),
      per_rank("rows_memory_bytes", "B",
               "part of predicted_memory_bytes that grows with the rank's rows of the batch",
               &RunRecord::rows_memory_bytes, later),
      per_rank("settle_seconds", "s",
               "training between warm-up and measured steps, until it was steady; 0: none",
               &RunRecord::settle_seconds, later),
      per_rank("settle_steps", "1", "steps of that training", &RunRecord::settle_steps, later),
      per_rank("settle_end", "1", "why it ended: 0 there was none, 1 steady, 2 time limit",
               &RunRecord::settle_end, later),
      per_rank("steps_apart", "1",
               "successive steps for which a recorded one stands: their mean; with phases of breakeven run "
               "the last of them",
               &RunRecord::steps_apart, later),
      per_rank("recorder_seconds", "s", "time of a step that the recorder took for itself, part of the step",
               &RunRecord::recorder_seconds, later),
      per_rank("last_loss", "1", "this rank's share of the last step's loss", &RunRecord::last_loss, later),
      per_rank("weights_checksum", "1",
               "checksum of this rank's weights after the last step, equal on replicas; NaN: sharded weights",
               &RunRecord::weights_checksum, later),
      per_rank("utilization_percent", "%", "fraction of time in which any kernel ran, by NVML",
               &Telemetry::utilization_percent),
      per_rank("sm_clock_hz", "Hz", "mean clock of the multiprocessors", &Telemetry::sm_clock_hz),
      per_rank("temperature_celsius", "degC", "highest temperature of the GPU",
               &Telemetry::temperature_celsius),
      per_rank("power_watts", "W", "mean power", &Telemetry::power_watts),
      per_rank("energy_joules", "J", "energy of the measured steps", &Telemetry::energy_joules),
      per_rank("throttle_reasons", "1", "NVML's bit mask of reasons for a lower clock, all samples or-ed",
               &Telemetry::throttle_reasons),
      per_rank("device_memory_bytes", "B", "memory in use on the whole GPU, context and libraries included",
               &Telemetry::device_memory_bytes),
      per_rank("checksum", "1", "FNV-1a checksum of the measured numbers of this rank in this run",
               RecordChecksum{}),
  };
}

std::vector<Variable> launches_and_ranks() {
  return {
      per_launch("started", "", "start in UTC, ISO 8601", &Launch::started),
      per_launch("command_line", "", "command line of the program", &Launch::command_line),
      per_launch("git_revision", "", "revision of the sources, with -dirty if they were changed",
                 &Launch::git_revision),
      per_launch("versions", "", "versions of the program and its libraries, a JSON object",
                 &Launch::versions),
      per_launch("settings", "", "options that are not axes, a JSON object", &Launch::settings),
      per_launch("environment", "", "environment variables that matter, a JSON object", &Launch::environment),
      // The reader makes room for the ranks and links below when it meets their number here.
      per_launch("ranks", "1", "ranks of the launch", &Topology::ranks),
      per_device("host", "", "host of the rank", &RankInfo::host),
      per_device("backend", "", "kind of device: cuda or host", &DeviceInfo::backend),
      per_device("gpu_name", "", "name of the device", &DeviceInfo::name),
      per_device("gpu_uuid", "", "UUID of the GPU, as nvidia-smi prints it", &DeviceInfo::uuid),
      per_device("pci_address", "", "PCI address of the GPU", &DeviceInfo::pci_address),
      per_device("multiprocessors", "1", "multiprocessors, or cores on the host",
                 &DeviceInfo::multiprocessors),
      per_device("compute_capability", "1", "compute capability times ten; 0 on the host",
                 &DeviceInfo::compute_capability),
      per_device("memory_bytes", "B", "memory of the device", &DeviceInfo::memory_bytes),
      per_device("numa_node", "1", "NUMA node of the device; -1 unknown", &DeviceInfo::numa_node),
      per_link("link", "", "kind of the link from rank to peer", &Link::kind),
      per_link("peer_access", "1", "rank can address the memory of peer", &Link::peer_access),
      per_link("link_bytes_per_second", "B/s", "bandwidth from rank to peer, one direction",
               &Link::bytes_per_second),
      per_link("link_latency_seconds", "s", "half a round trip of one float", &Link::latency_seconds),
      per_link("link_data_right", "1", "all data arrived as sent", &Link::data_right),
      per_launch("launch_checksum", "1", "FNV-1a checksum of the launch's labels", LabelChecksum{}, later),
  };
}

std::vector<Variable> roofline_and_messages() {
  using enum Dimension;
  return {
      per_device("copy_bytes_per_second", "B/s",
                 "roofline: a large copy within the device, bytes read and written",
                 &Roofline::copy_bytes_per_second, later),
      per_launch("copy_method", "", "how that copy was made: kernel; empty in older files: cudaMemcpyAsync",
                 &Launch::copy_method, later),
      Rows<launch, rank, product_precision>{}("flops_per_second", "1/s",
                                              "roofline: floating-point operations of a large product",
                                              &Roofline::flops_per_second, later),
      per_device("launch_seconds", "s", "roofline: one of many tiny operations in a stream",
                 &Roofline::launch_seconds, later),
      per_device("node_seconds", "s", "roofline: one of many tiny operations in a graph",
                 &Roofline::node_seconds, later),
      Rows<launch, transport, group, operation, message>{}(
          "message_seconds", "s", "time of one of several back-to-back calls; the slowest rank counts",
          &MessageTimes::seconds, later),
      Rows<launch, transport, group>{}(
          "connect_seconds", "s",
          "connecting the ranks and a first call, once per launch; the slowest rank counts",
          &MessageTimes::connect_seconds, later),
  };
}

// Of `--strategies auto` (docs/auto.md).
std::vector<Variable> autotuning() {
  return {
      variable_of(info_of(Axis::chosen)),
      per_run("choosing_seconds", "s",
              "time that autotuning took, once for all runs of the case in the launch",
              &RecordedRun::choosing_seconds, later),
      // The reader makes room for the candidates below when it meets their number here.
      per_run("candidates", "1", "candidates that 'auto' chose among", &RecordedRun::candidates, later),
      per_candidate("candidate_strategy", "", "strategy of the candidate", &AutoCandidate::strategy, later),
      per_candidate("candidate_gpus", "1", "its GPUs", &AutoCandidate::gpus, later),
      per_candidate("candidate_predicted_seconds", "s", "step time predicted before the candidate was probed",
                    &AutoCandidate::predicted_seconds, later),
      per_candidate("candidate_predicted_low", "s", "lower 95 % bound of that step time",
                    &AutoCandidate::predicted_low, later),
      per_candidate("candidate_predicted_high", "s", "upper 95 % bound of that step time",
                    &AutoCandidate::predicted_high, later),
      per_candidate("candidate_probed_seconds", "s", "probed step time; NaN if it was not probed",
                    &AutoCandidate::probed_seconds, later),
      per_candidate("candidate_probed_low", "s", "lower 95 % bound of that step time",
                    &AutoCandidate::probed_low, later),
      per_candidate("candidate_probed_high", "s", "upper 95 % bound of that step time",
                    &AutoCandidate::probed_high, later),
      per_candidate("candidate_probe_steps", "1", "steps of its probes, without warm-up",
                    &AutoCandidate::probe_steps, later),
  };
}

}  // namespace

const std::vector<Variable>& variables() {
  static const std::vector<Variable> table = [] {
    std::vector<Variable> all = coordinates();
    for (const auto& part : {axes_of_runs(), plan_of_runs(), measured_in_runs(), launches_and_ranks(),
                             roofline_and_messages(), autotuning()})
      std::ranges::copy(part, std::back_inserter(all));
    return all;
  }();
  return table;
}

}  // namespace breakeven::hdf5
