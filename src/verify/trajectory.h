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

// What a case is held against. The last three differ from each other by roundings alone, and none of them has
// its update fused into its products: how far apart they are is what rounding does to this model and
// optimizer.
struct References {
  Trajectory single;       // the same work as one device does it by itself
  Trajectory shards;       // the serial definition of the case
  Trajectory other_order;  // the serial definition with another number of shards
  Trajectory fp32;         // the serial definition in fp32
};

// The same work on one device, operation by operation, without any exchange.
Case single_device_case(const Case& what);

// The definition of data parallelism, on one device: a replica for each of the case's ranks, one after
// another, their gradients added in rank order, the update apart from them. Two ranks must give its very
// bits.
Trajectory train_in_shards(const Case& what, Workbench& bench);

// What compare() holds a case against, by rank 0 alone.
References train_references(const Case& what, Workbench& bench);

// Trains for warm-up and steps of the bench's options; called by the case's ranks, all of them. With a graph,
// every step but the first is a replay. Losses are summed over the ranks: every rank has the whole batch's.
Trajectory train(const Case& what, Workbench& bench);

}  // namespace breakeven
