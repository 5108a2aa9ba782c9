// SPDX-License-Identifier: Apache-2.0
// The values of options of `run` that are words: how they are spelled and read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/measure/plan/options.h"

namespace breakeven::measure {

// Each of the next four stores what the text says, and returns what is wrong with it, or "".
std::string read_order(const std::string& text, RunOptions& options);
std::string read_optimizer(const std::string& text, OptimizerKind& optimizer);
// The target, which must agree with the other options.
std::string read_until(const std::string& text, RunOptions& options);
// "NCCL_NAME=VALUE"
std::string read_nccl(const std::vector<std::string>& words,
                      std::vector<std::pair<std::string, std::string>>& variables);

// A duration, or a number of seconds, from 0 on. Returns false where the text is neither.
bool parse_seconds(std::string_view text, double& seconds);

// "random", "random:3", "listed".
std::string spelled_order(const RunOptions& options);

// "0", "5s", "0.5s".
std::string duration_word(double seconds);

}  // namespace breakeven::measure
