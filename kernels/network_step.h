// SPDX-License-Identifier: Apache-2.0
// Whole training steps, described by their products. A device may run a small network's step in fewer
// launches than it has products.
#pragma once

#include <vector>

#include "kernels/adam.h"
#include "kernels/batch_source.h"

namespace breakeven {

// Sums the gradients of a step over ranks, before the update. Each device knows its own kind.
class StepExchange {
 public:
  virtual ~StepExchange() = default;
};

// The result equals, up to rounding, that of these operations in each step: load_batch of `source` into
// `batch` and `target`, the forward products, the data gradients from the last layer down, the updates,
// advance_step. But `batch`, `target`, activations and their gradients need not be stored.
struct NetworkStep {
  BatchSource source;
  Matrix batch;
  Matrix target;
  std::vector<Product> forward;  // nt: BiasReluDropout for each hidden layer, SquaredErrorLoss last
  std::vector<Product> updates;  // tn with AdamUpdate, layer by layer
  AdamSettings adam;
  StepState* state;
  StepNotes* notes;         // of this network
  std::uint32_t steps = 1;  // one after another, in one call; 0 only asks whether the device can
  // Null, or one per loss: when each step ended, in nanoseconds of the device's own clock.
  std::uint64_t* step_ends = nullptr;
  // Null, or the updates are by the sums over the ranks, which are kept if gradients are. All ranks make
  // the same steps; an overflow of one is one of all.
  StepExchange* exchange = nullptr;
};

}  // namespace breakeven
