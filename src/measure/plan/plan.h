// SPDX-License-Identifier: Apache-2.0
// From the user's axes to the list of runs, in the order in which they are made.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "src/core/case.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/options.h"

namespace breakeven {

// A precision that the device computes in, and its kernels for the products, the default first.
struct OfferedPrecision {
  Precision precision;
  std::vector<GemmKernel> gemm;
};

struct OfferedTransport {
  Transport transport;
  bool capturable = true;  // an exchange over it may be part of a graph
};

struct OfferedStrategy {
  bool exchanges = true;   // one that does not runs on one GPU,
  bool copies = false;     // or on each of several with a whole batch
  bool capturable = true;  // into a graph
  bool chooses = false;    // "auto": one of the offer's candidates, on as many GPUs as it likes
};

// What this launch has to offer to the axes.
struct Offer {
  int ranks = 1;
  std::vector<OfferedTransport> transports;  // the default first
  std::vector<OfferedPrecision> precisions;
  // A strategy as the user writes it, or why it is none.
  std::function<std::variant<OfferedStrategy, UsageError>(const std::string& strategy)> strategy;
  // What keeps the strategy of a case from doing it, or "".
  std::function<std::string(const Case& what)> refusal;
  std::vector<std::string> candidates = {};  // strategies that "auto" chooses among
};

// Every combination of the axes once, the first word of an axis first. `single` and `auto` yield one case
// whatever --gpus says. The batch of copies is each one's. Refused: a word that is not legal, a batch that
// does not divide, a graph that cannot be captured.
std::variant<std::vector<Case>, UsageError> plan_cases(const Axes& axes, const Offer& offer);

// Repeats are blocks: each holds every case once, in a random order of its own (seeded), so that what is
// compared was measured close together and nothing always comes first.
std::vector<PlannedRun> plan_runs(const std::vector<Case>& cases, std::uint32_t repeats, bool random_order,
                                  std::uint64_t seed);

}  // namespace breakeven
