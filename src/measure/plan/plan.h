// SPDX-License-Identifier: Apache-2.0
// From the user's axes to the list of runs, in the order in which they run.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "src/core/case.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/options.h"

namespace breakeven::measure {

// A precision of the device, and its GEMM kernels, the default first.
struct OfferedPrecision {
  Precision precision;
  std::vector<GemmKernel> gemm;
};

struct OfferedTransport {
  Transport transport;
  bool capturable = true;  // into a CUDA graph
  bool failed = false;     // when it was tried, or too many ranks: "all" leaves it out
};

struct RefusedTransport {
  Transport transport;
  std::string sentence;  // why this launch cannot use it
};

struct OfferedStrategy {
  bool exchanges = true;   // without an exchange it runs on one GPU, or
  bool copies = false;     // on each of several GPUs with a whole batch ("independent")
  bool capturable = true;  // into a CUDA graph
  bool chooses = false;    // "auto": one of the offer's candidates, on any number of GPUs
};

// What this launch can measure.
struct Offer {
  int ranks = 1;
  std::string command_line = "breakeven run";  // that started it, for a sentence
  std::vector<OfferedTransport> transports;    // the default first
  std::vector<OfferedPrecision> precisions;
  // Looks up a strategy as the user writes it, or returns why it is not one.
  std::function<std::variant<OfferedStrategy, UsageError>(const std::string& strategy)> strategy;
  // Why the strategy cannot train the case, or "".
  std::function<std::string(const Case& what)> refusal;
  std::vector<RefusedTransport> refused_transports = {};
  std::vector<std::string> candidates = {};  // strategies that "auto" chooses among
};

// Every combination of the axes once, in the order of the words. `single` and `auto` yield one case for all
// --gpus. On one GPU a strategy has the first transport alone. For `independent` the batch is each GPU's.
// Refuses an illegal word, a batch that does not divide, and a graph that cannot be captured.
std::variant<std::vector<Case>, UsageError> plan_cases(const Axes& axes, const Offer& offer);

// Repeats are blocks: each holds every case once. In a seeded random order, new in every block, a baseline
// and the cases that are compared with it follow one another: these groups are in random order, and so are
// the cases of each. So what disturbs the machine for a minute disturbs both sides of a speed-up, and no case
// always comes first.
std::vector<PlannedRun> plan_runs(const std::vector<Case>& cases, std::uint32_t repeats, bool random_order,
                                  std::uint64_t seed);

}  // namespace breakeven::measure
