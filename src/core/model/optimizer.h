// SPDX-License-Identifier: Apache-2.0
// The optimizers and their settings.
#pragma once

namespace breakeven {

enum class OptimizerKind { adam, sgd };

struct AdamSettings {  // Kingma and Ba, "Adam", ICLR 2015, algorithm 1
  float learning_rate = 1e-3f;
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

}  // namespace breakeven
