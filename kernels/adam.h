// SPDX-License-Identifier: Apache-2.0
// Adam's update of one parameter: the same source on both devices and in every kernel.
#pragma once

#include <cmath>

#include "kernels/product.h"
#include "src/core/cuda_qualifiers.h"
#include "src/core/step_state.h"

namespace breakeven {

HOST_DEVICE AdamFactors adam_factors(const AdamSettings& settings, const StepState& state) {
  const double correction1 = 1.0 - state.beta1_power * settings.beta1;
  const double correction2 = 1.0 - state.beta2_power * settings.beta2;
  return {settings.beta1,
          1.0f - settings.beta1,
          settings.beta2,
          1.0f - settings.beta2,
          settings.learning_rate / static_cast<float>(correction1),
          1.0f / sqrtf(static_cast<float>(correction2)),
          settings.epsilon};
}

// numerator / (sqrt(square) * scale + epsilon). GPUs use the approximate root and quotient, each within two
// units in the last place. The exact ones need three times as many instructions, too many for an update fused
// into a GEMM.
HOST_DEVICE float over_root(float numerator, float square, float scale, float epsilon) {
#ifdef __CUDA_ARCH__
  float root;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(square));
  return __fdividef(numerator, root * scale + epsilon);
#else
  return numerator / (sqrtf(square) * scale + epsilon);
#endif
}

HOST_DEVICE void adam_update(const AdamFactors& factors, float gradient, float& parameter,
                             float& first_moment, float& second_moment) {
  first_moment = factors.beta1 * first_moment + factors.fresh1 * gradient;
  second_moment = factors.beta2 * second_moment + factors.fresh2 * gradient * gradient;
  parameter -= over_root(factors.rate * first_moment, second_moment, factors.root_scale, factors.epsilon);
}

}  // namespace breakeven
