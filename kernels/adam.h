// SPDX-License-Identifier: Apache-2.0
// Adam's update of one parameter, the same source on both devices and in every kernel that makes it.
#pragma once

#include <cmath>

#include "kernels/portable.h"
#include "kernels/product.h"

namespace breakeven {

// What the update needs beside the gradient. The bias corrections of algorithm 1 are folded into two factors,
// which are computed in double: by one thread for many.
struct AdamFactors {
  float beta1;
  float fresh1;  // 1 - beta1
  float beta2;
  float fresh2;      // 1 - beta2
  float rate;        // learning rate / (1 - beta1^t)
  float root_scale;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
};

BREAKEVEN_PORTABLE AdamFactors adam_factors(const AdamSettings& settings, const StepState& state) {
  const double correction1 = 1.0 - state.beta1_power * settings.beta1;
  const double correction2 = 1.0 - state.beta2_power * settings.beta2;
  return {settings.beta1,
          1.0f - settings.beta1,
          settings.beta2,
          1.0f - settings.beta2,
          static_cast<float>(settings.learning_rate / correction1),
          static_cast<float>(1.0 / sqrt(correction2)),
          settings.epsilon};
}

BREAKEVEN_PORTABLE void adam_update(const AdamFactors& factors, float gradient, float& parameter,
                                    float& first_moment, float& second_moment) {
  first_moment = factors.beta1 * first_moment + factors.fresh1 * gradient;
  second_moment = factors.beta2 * second_moment + factors.fresh2 * gradient * gradient;
  parameter -= factors.rate * first_moment / (sqrtf(second_moment) * factors.root_scale + factors.epsilon);
}

}  // namespace breakeven
