// SPDX-License-Identifier: Apache-2.0
#include "src/file/schema.h"

#include <algorithm>

#include "kernels/failure.h"

namespace breakeven {
namespace {

std::vector<Variable> make_variables() {
  using enum Dimension;
  return {
      // The coordinates stand first: netCDF numbers the dimensions in this order.
      {"rank", {rank}, "1", "rank in the launch", PlaceNumber{}},
      {"step", {step}, "1", "measured step, warm-up not counted", PlaceNumber{}},
      {"phase", {phase}, "", "part of a training step", PhaseName{}},
      {"peer", {peer}, "1", "rank at the other end of a link", PlaceNumber{}},
      {"launch", {launch}, "1", "start of the program", PlaceNumber{}},
      {"run", {run}, "", "label of the run", &RecordedRun::label},

      {"model", {run}, "", "model, by name or by its layers", &Case::model},
      {"batch", {run}, "1", "samples a step over all GPUs", &Case::batch},
      {"gpus", {run}, "1", "ranks that take part, from rank 0 on", &Case::gpus},
      {"strategy", {run}, "", "how the ranks share the training", &Case::strategy},
      {"precision", {run}, "", "format of the numbers in the products", &Case::precision},
      {"gemm", {run}, "", "kernel of the matrix products", &Case::gemm},
      {"collective", {run}, "", "transport of the exchange", &Case::collective},
      {"scaling",
       {run},
       "",
       "what stays fixed when GPUs are added: the global batch (strong) or each GPU's (weak)",
       &Case::scaling},
      {"instrument",
       {run},
       "",
       "what the device's events mark: whole steps (total) or phases too (phases)",
       &Case::instrument},
      {"graph", {run}, "1", "the step is one CUDA graph", &Case::graph},
      {"data",
       {run},
       "",
       "where the samples are: on the device (resident) or sent to it each step (streamed)",
       &Case::data},
      {"repeat", {run}, "1", "place among the runs of the same case in the launch", &PlannedRun::repeat},
      {"order", {run}, "1", "place in the launch's random order", &PlannedRun::order},
      {"launch_index", {run}, "1", "launch that the run belongs to", &RecordedRun::launch},
      {"warmup", {run}, "1", "steps before the measured ones", &RecordedRun::warmup},
      {"steps", {run}, "1", "measured steps", &RecordedRun::steps},
      {"parameters", {run}, "1", "parameters of the model, padding not counted", &RecordedRun::parameters},
      {"status", {run}, "1", "0 planned, 1 complete, 2 verified", &RecordedRun::status},

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
      {"loss", {run, rank, step}, "1", "this rank's share of the batch's mean loss", &RunRecord::loss},
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
      {"setup_seconds",
       {run, rank},
       "s",
       "first-use cost: replica, communicator, graph",
       &RunRecord::setup_seconds},
      {"first_step_seconds", {run, rank}, "s", "first warm-up step alone", &RunRecord::first_step_seconds},
      {"warmup_seconds", {run, rank}, "s", "the other warm-up steps", &RunRecord::warmup_seconds},
      {"busy_fraction",
       {run, rank},
       "1",
       "share of the step in which the device worked",
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
       "share of the test samples classified right after the last step",
       &RunRecord::test_accuracy},
      {"skipped_steps",
       {run, rank},
       "1",
       "steps that overflow in fp16 left without an update, warm-up included",
       &RunRecord::skipped_steps},
      {"steps_a_launch",
       {run, rank},
       "1",
       "steps in a launch, divided by the device's own clock; 1: by its events",
       &RunRecord::steps_a_launch},
      {"utilization_percent",
       {run, rank},
       "%",
       "share of time in which any kernel ran, by NVML",
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
       "FNV-1a over the measured numbers of this rank in this run",
       RecordChecksum{}},

      {"started", {launch}, "", "start in UTC, ISO 8601", &Launch::started},
      {"command_line", {launch}, "", "command line of the program", &Launch::command_line},
      {"git_revision",
       {launch},
       "",
       "revision of the sources built, -dirty where they were changed",
       &Launch::git_revision},
      {"versions",
       {launch},
       "",
       "versions of the program and its libraries, a JSON object",
       &Launch::versions},
      {"settings", {launch}, "", "options that are no axis, a JSON object", &Launch::settings},
      {"environment", {launch}, "", "environment variables that matter, a JSON object", &Launch::environment},
      // The reader makes room for the ranks and links below when it meets their number here.
      {"ranks", {launch}, "1", "ranks of the launch", &Topology::ranks},
      {"host", {launch, rank}, "", "host of the rank", &RankInfo::host},
      {"backend", {launch, rank}, "", "kind of device: cuda or host", &DeviceInfo::backend},
      {"gpu_name", {launch, rank}, "", "name of the device", &DeviceInfo::name},
      {"gpu_uuid", {launch, rank}, "", "identity of the GPU, as nvidia-smi prints it", &DeviceInfo::uuid},
      {"pci_address", {launch, rank}, "", "PCI address of the GPU", &DeviceInfo::pci_address},
      {"multiprocessors",
       {launch, rank},
       "1",
       "multiprocessors, or cores on the host",
       &DeviceInfo::multiprocessors},
      {"compute_capability",
       {launch, rank},
       "1",
       "compute capability times ten; 0 on the host",
       &DeviceInfo::compute_capability},
      {"memory_bytes", {launch, rank}, "B", "memory of the device", &DeviceInfo::memory_bytes},
      {"numa_node", {launch, rank}, "1", "NUMA node of the device; -1 unknown", &DeviceInfo::numa_node},
      {"link", {launch, rank, peer}, "", "kind of the link from rank to peer", &Link::kind},
      {"peer_access", {launch, rank, peer}, "1", "rank can address the memory of peer", &Link::peer_access},
      {"link_bytes_per_second",
       {launch, rank, peer},
       "B/s",
       "payload from rank to peer, one direction",
       &Link::bytes_per_second},
      {"link_latency_seconds",
       {launch, rank, peer},
       "s",
       "half a round trip of one float",
       &Link::latency_seconds},
      {"link_data_right",
       {launch, rank, peer},
       "1",
       "every float that arrived was the one sent",
       &Link::data_right},
      {"copy_bytes_per_second",
       {launch, rank},
       "B/s",
       "ceiling: a large copy within the device, bytes read and written",
       &Ceilings::copy_bytes_per_second},
      {"fp32_flops_per_second",
       {launch, rank},
       "1/s",
       "ceiling: floating-point operations of a large product in fp32",
       &Ceilings::fp32_flops_per_second},
      {"tf32x3_flops_per_second",
       {launch, rank},
       "1/s",
       "ceiling: the same in tf32x3",
       &Ceilings::tf32x3_flops_per_second},
      {"tf32_flops_per_second",
       {launch, rank},
       "1/s",
       "ceiling: the same in tf32",
       &Ceilings::tf32_flops_per_second},
      {"bf16_flops_per_second",
       {launch, rank},
       "1/s",
       "ceiling: the same in bf16",
       &Ceilings::bf16_flops_per_second},
      {"fp16_flops_per_second",
       {launch, rank},
       "1/s",
       "ceiling: the same in fp16",
       &Ceilings::fp16_flops_per_second},
      {"launch_seconds",
       {launch, rank},
       "s",
       "ceiling: one of many tiny operations in a stream",
       &Ceilings::launch_seconds},
      {"node_seconds",
       {launch, rank},
       "s",
       "ceiling: one of many tiny operations in a graph",
       &Ceilings::node_seconds},
  };
}

}  // namespace

bool Variable::has(Dimension dimension) const {
  return std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end();
}

bool Variable::is_coordinate() const {
  return dimensions.size() == 1 && name == dimension_names[static_cast<std::size_t>(dimensions[0])];
}

bool Variable::is_measured() const {
  return std::holds_alternative<std::vector<double> RunRecord::*>(source) ||
         std::holds_alternative<double RunRecord::*>(source) ||
         std::holds_alternative<double Telemetry::*>(source);
}

bool Variable::is_addition() const {
  const auto* number = std::get_if<double RunRecord::*>(&source);
  return std::holds_alternative<double Ceilings::*>(source) ||
         (number != nullptr &&
          (*number == &RunRecord::skipped_steps || *number == &RunRecord::steps_a_launch));
}

const std::vector<Variable>& variables() {
  static const std::vector<Variable> table = make_variables();
  return table;
}

const Variable& variable_named(std::string_view name) {
  for (const Variable& variable : variables())
    if (variable.name == name) return variable;
  throw Failure(ExitCode::file, "the results file's schema has no variable " + std::string(name));
}

}  // namespace breakeven
