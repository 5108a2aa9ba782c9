// SPDX-License-Identifier: Apache-2.0
// The values of options that are words: how they are spelled, and what is wrong with them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "src/core/axes.h"
#include "src/measure/plan/options.h"

namespace breakeven::measure {

// The options as the user spells them, before lists are split and words are checked.
struct Spelled {
  std::array<std::string, axis_count> axes;
  std::string candidates;
  std::vector<std::string> cases, nccl;
  std::string order, optimizer, config, settle, settle_tolerance, seconds, until, target_ci, memory_limit;
};

// Reads every value but those of the axes, and checks what the types of single values do not. Returns what is
// wrong, or
// "".
std::string read_values(const Spelled& spelled, RunOptions& options);

// "random", "random:3", "listed".
std::string spelled_order(const RunOptions& options);

// "0", "5s", "0.5s".
std::string duration_word(double seconds);

}  // namespace breakeven::measure
