// SPDX-License-Identifier: Apache-2.0
// The two optimizers over flat buffers, and what changes from step to step.
#include <cmath>

#include "kernels/host/host_device.h"

namespace breakeven {

void HostDevice::adam(std::size_t count, const float* gradient, const AdamSettings& settings,
                      const StepState* state, float* parameter, float* first_moment, float* second_moment,
                      Stream& /*stream*/) {
  const float beta1 = settings.beta1;  // by value: floats that no store below can change
  const float beta2 = settings.beta2;
  const float epsilon = settings.epsilon;
  const double correction1 = 1.0 - state->beta1_power * beta1;
  const double correction2 = 1.0 - state->beta2_power * beta2;
  const auto rate = static_cast<float>(settings.learning_rate / correction1);
  const auto root_scale = static_cast<float>(1.0 / std::sqrt(correction2));
  const float fresh1 = 1.0f - beta1;
  const float fresh2 = 1.0f - beta2;
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i];
    const float m = beta1 * first_moment[i] + fresh1 * g;
    const float v = beta2 * second_moment[i] + fresh2 * g * g;
    first_moment[i] = m;
    second_moment[i] = v;
    parameter[i] -= rate * m / (std::sqrt(v) * root_scale + epsilon);
  }
}

void HostDevice::sgd(std::size_t count, const float* gradient, float learning_rate, float* parameter,
                     Stream& /*stream*/) {
  for (std::size_t i = 0; i < count; ++i) parameter[i] -= learning_rate * gradient[i];
}

void HostDevice::advance_step(const AdamSettings& settings, StepState* state, Stream& /*stream*/) {
  state->step += 1;
  state->beta1_power *= settings.beta1;
  state->beta2_power *= settings.beta2;
}

}  // namespace breakeven
