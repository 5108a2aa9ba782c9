// SPDX-License-Identifier: Apache-2.0
// Whole training steps, told as the products that it is made of: a device may make a small network's step in
// fewer launches than there are products.
#pragma once

#include <vector>

#include "kernels/adam.h"
#include "kernels/batch_source.h"

namespace breakeven {

// After it everything is as after the operations one by one, to rounding: load_batch of `source` into `batch`
// and `target`, the forward products, the data gradients from the last layer down, the updates, advance_step;
// and all that as many times as there are steps. But `batch`, `target`, and the values of the layers and
// their gradients need not be stored: nobody reads them. There is no loss scaling.
struct NetworkStep {
  BatchSource source;
  Matrix batch;
  Matrix target;
  std::vector<Product> forward;  // nt: BiasReluDropout for each hidden layer, SquaredErrorLoss last
  std::vector<Product> updates;  // tn with AdamUpdate, layer by layer; the data gradients come before them
  AdamSettings adam;
  StepState* state;
  StepNotes* notes;         // the replica's own
  std::uint32_t steps = 1;  // one after another, in one call
  // Null, or one for every loss: when each step ended, in nanoseconds of the device's own clock.
  std::uint64_t* step_ends = nullptr;
};

}  // namespace breakeven
