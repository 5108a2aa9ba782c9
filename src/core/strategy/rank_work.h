// SPDX-License-Identifier: Apache-2.0
// What a rank computes in a step, as far as the time that it takes depends on it: what a step's time is
// predicted from (src/predict/step_terms.h).
#pragma once

#include <cstdint>

#include "src/core/model/model_shape.h"

namespace breakeven {

struct RankWork {
  ModelShape shape;        // of what the rank holds: some layers, or a share of each
  std::uint32_t rows = 0;  // that go through it at a time
  // So many times in a step, one after another: micro-batches, and the turns in which a pipeline's stage
  // waits for one.
  double passes = 1;
  double forwards = 1;  // in a pass: 2 where most activations are computed anew
  double updated = 1;   // share of these parameters that the rank updates
};

}  // namespace breakeven
