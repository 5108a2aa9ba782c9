// SPDX-License-Identifier: Apache-2.0
// The phases of a training step, as one table. The runner, the file, the report and the plots walk it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace breakeven {

enum class Phase { input, forward, backward, collect, exchange, broadcast, wait, optimizer, overhead, step };

struct PhaseInfo {
  Phase phase;
  std::string_view name;   // in the results file, CSV and JSON
  std::string_view label;  // in tables, as reports on multi-GPU training call it
  std::string_view covers;
  bool is_compute = false;        // the rank's own work, with one GPU or more
  bool is_communication = false;  // takes time only with more than one GPU
};

inline constexpr std::array phases{
    PhaseInfo{.phase = Phase::input,
              .name = "input",
              .label = "Input",
              .covers = "copying the step's samples into the network's input",
              .is_compute = true},
    PhaseInfo{.phase = Phase::forward,
              .name = "forward",
              .label = "Forward pass",
              .covers = "forward pass of all layers, the loss and its gradient",
              .is_compute = true},
    PhaseInfo{.phase = Phase::backward,
              .name = "backward",
              .label = "Backward pass",
              .covers = "backward pass of all layers: gradients of the parameters",
              .is_compute = true},
    PhaseInfo{.phase = Phase::collect,
              .name = "collect",
              .label = "Gradient collection",
              .covers = "packing or compressing gradients for communication",
              .is_compute = true,
              .is_communication = true},
    PhaseInfo{.phase = Phase::exchange,
              .name = "exchange",
              .label = "Exchange",
              .covers = "the collective itself, once all ranks have entered it",
              .is_communication = true},
    PhaseInfo{.phase = Phase::broadcast,
              .name = "broadcast",
              .label = "Gradient broadcast",
              .covers = "sending updated parameters to all ranks",
              .is_communication = true},
    PhaseInfo{.phase = Phase::wait,
              .name = "wait",
              .label = "Synchronization (wait)",
              .covers = "waiting in the collective for the slowest rank",
              .is_communication = true},
    PhaseInfo{.phase = Phase::optimizer,
              .name = "optimizer",
              .label = "Optimizer update",
              .covers = "the optimizer's update of the parameters",
              .is_compute = true},
    PhaseInfo{.phase = Phase::overhead,
              .name = "overhead",
              .label = "Overhead",
              .covers = "the step minus all phases above: launch gaps, bookkeeping"},
    PhaseInfo{.phase = Phase::step,
              .name = "step",
              .label = "Step",
              .covers = "from the start of the step to the start of the next"},
};
inline constexpr std::size_t phase_count = phases.size();

constexpr std::size_t index_of(Phase phase) { return static_cast<std::size_t>(phase); }
constexpr const PhaseInfo& info_of(Phase phase) { return phases[index_of(phase)]; }
constexpr std::string_view name_of(Phase phase) { return info_of(phase).name; }

// A step's phases as they follow one another, for pictures. The overhead lies between all others and is last.
inline constexpr std::array phases_in_time_order{Phase::input,     Phase::forward,   Phase::backward,
                                                 Phase::collect,   Phase::wait,      Phase::exchange,
                                                 Phase::optimizer, Phase::broadcast, Phase::overhead};
static_assert(phases_in_time_order.size() == phase_count - 1, "all but the step itself");

}  // namespace breakeven
