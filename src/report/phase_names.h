// SPDX-License-Identifier: Apache-2.0
// The phases under the names that reports on multi-GPU training use, ours beside them where they differ.
#pragma once

#include <array>
#include <string_view>

#include "src/core/phase.h"

namespace breakeven {

struct PhaseTitle {
  Phase phase;
  std::string_view title;
};

// In the order of a step; `step` itself is the total.
inline constexpr std::array phase_titles{
    PhaseTitle{Phase::input, "Input"},
    PhaseTitle{Phase::forward, "Forward pass"},
    PhaseTitle{Phase::backward, "Backward pass"},
    PhaseTitle{Phase::collect, "Gradient collection"},
    PhaseTitle{Phase::exchange, "Exchange (AllReduce)"},
    PhaseTitle{Phase::broadcast, "Gradient broadcast"},
    PhaseTitle{Phase::wait, "Synchronization (wait)"},
    PhaseTitle{Phase::optimizer, "Optimizer update"},
    PhaseTitle{Phase::overhead, "Overhead"},
};

// What exists only because there is more than one GPU.
inline constexpr std::array communication_phases{
    PhaseTitle{Phase::collect, "Gradient collection"},
    PhaseTitle{Phase::exchange, "AllReduce operation"},
    PhaseTitle{Phase::broadcast, "Gradient broadcast"},
    PhaseTitle{Phase::wait, "Synchronization"},
};

}  // namespace breakeven
