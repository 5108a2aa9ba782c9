// SPDX-License-Identifier: Apache-2.0
// A whole training step, told as the products that it is made of: a device may make a small network's step in
// fewer launches than there are products.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/adam.h"
#include "kernels/device.h"

namespace breakeven {

// What a step leaves to the next one in the device's memory. Zero-filled before the first.
struct StepNotes {
  static constexpr std::uint32_t most_rows = 512;
  // The rows of the next batch, drawn ahead, and what they were drawn for: `number` is the step's plus one,
  // so that 0 is no step. Nothing goes wrong where the next step is another; it draws anew.
  std::uint64_t seed;
  std::uint32_t number;
  std::uint32_t global_batch;
  std::uint32_t first_sample;
  std::uint32_t samples;
  std::uint32_t sample[most_rows];
  AdamFactors factors;  // of the step that is running
};

// After it everything is as after the operations one by one, to rounding: load_batch of `source` into `batch`
// and `target`, the forward products, the data gradients from the last layer down, the updates, advance_step.
// Only the output layer's values need not be stored. There is no loss scaling.
struct NetworkStep {
  BatchSource source;
  Matrix batch;
  Matrix target;
  std::vector<Product> forward;  // nt: BiasReluDropout for each hidden layer, SquaredErrorLoss last
  std::vector<Product> updates;  // tn with AdamUpdate, layer by layer; the data gradients come before them
  AdamSettings adam;
  StepState* state;
  StepNotes* notes;  // the replica's own
};

}  // namespace breakeven
