// SPDX-License-Identifier: Apache-2.0
// What a training run computes, as opposed to how long it takes.
#pragma once

#include <vector>

#include "src/measure/workbench.h"
#include "src/plan/case.h"

namespace breakeven {

struct Trajectory {
  std::vector<double> losses;          // [step], mean over the global batch
  std::vector<double> gradient_norms;  // [step], of the global batch's gradient
  std::vector<float> parameters;       // after the last step
};

// The reference of a case: the same work on one device, operation by operation, without any exchange.
Case single_device_case(const Case& what);

// The definition of data parallelism, on one device: a replica for each of the case's ranks, one after
// another, their gradients added in rank order. It differs from the single device in the order of additions
// alone, so its distance from that is what rounding does to this model and optimizer. Two ranks must give its
// very bits.
Trajectory train_in_shards(const Case& what, Workbench& bench);

// Trains for warm-up and steps of the bench's options; called by the case's ranks, all of them. With a graph,
// every step but the first is a replay. Losses are summed over the ranks: every rank has the whole batch's.
Trajectory train(const Case& what, Workbench& bench);

}  // namespace breakeven
