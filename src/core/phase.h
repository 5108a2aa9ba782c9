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
  std::string_view name;
  std::string_view covers;
};

inline constexpr std::array phases{
    PhaseInfo{Phase::input, "input", "copying the step's samples into the network's input"},
    PhaseInfo{Phase::forward, "forward", "forward pass of all layers, the loss and its gradient"},
    PhaseInfo{Phase::backward, "backward", "backward pass of all layers: gradients of the parameters"},
    PhaseInfo{Phase::collect, "collect", "packing or compressing gradients for communication"},
    PhaseInfo{Phase::exchange, "exchange", "the collective itself, once all ranks have entered it"},
    PhaseInfo{Phase::broadcast, "broadcast", "sending updated parameters to all ranks"},
    PhaseInfo{Phase::wait, "wait", "waiting in the collective for the slowest rank"},
    PhaseInfo{Phase::optimizer, "optimizer", "the optimizer's update of the parameters"},
    PhaseInfo{Phase::overhead, "overhead", "the step minus all phases above: launch gaps, bookkeeping"},
    PhaseInfo{Phase::step, "step", "from the start of the step to the start of the next"},
};
inline constexpr std::size_t phase_count = phases.size();

constexpr std::size_t index_of(Phase phase) { return static_cast<std::size_t>(phase); }
constexpr std::string_view name_of(Phase phase) { return phases[index_of(phase)].name; }

}  // namespace breakeven
