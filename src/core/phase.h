// SPDX-License-Identifier: Apache-2.0
// The phases of a training step, as one table that runner, file, report and plots all walk.
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
    PhaseInfo{Phase::input, "input", "the step's samples into the network's input"},
    PhaseInfo{Phase::forward, "forward", "all layers forward, and the loss with its gradient"},
    PhaseInfo{Phase::backward, "backward", "all layers backward, to the gradients of the parameters"},
    PhaseInfo{Phase::collect, "collect", "gradients packed or compressed for the exchange"},
    PhaseInfo{Phase::exchange, "exchange", "the collective itself, after all ranks have entered it"},
    PhaseInfo{Phase::broadcast, "broadcast", "new parameters sent from those who made them to all ranks"},
    PhaseInfo{Phase::wait, "wait", "in the collective before the slowest rank has entered it"},
    PhaseInfo{Phase::optimizer, "optimizer", "the update of the parameters"},
    PhaseInfo{Phase::overhead, "overhead", "the step less all phases above: launch gaps, bookkeeping"},
    PhaseInfo{Phase::step, "step", "from the start of the step to the start of the next"},
};
inline constexpr std::size_t phase_count = phases.size();

constexpr std::size_t index_of(Phase phase) { return static_cast<std::size_t>(phase); }
constexpr std::string_view name_of(Phase phase) { return phases[index_of(phase)].name; }

}  // namespace breakeven
