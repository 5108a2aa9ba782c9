// SPDX-License-Identifier: Apache-2.0
// The options of `breakeven collectives`, checked.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "src/bench/bench_options.h"
#include "src/core/message.h"

namespace breakeven::bench {

struct CollectiveOptions : BenchOptions {
  std::vector<int> gpus;
  std::vector<std::string> transports;  // words of transports, or "auto"
  std::vector<Collective> operations;
  std::uint64_t largest_bytes = 0;  // 0: the device's default
  bool graph = true;
};

// `ranks` of this launch.
std::variant<CollectiveOptions, UsageError, HelpText> parse_collective_options(int argc, char** argv,
                                                                               int ranks);

}  // namespace breakeven::bench
