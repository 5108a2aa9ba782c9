// SPDX-License-Identifier: Apache-2.0
// The two optimizers over flat buffers, and the working copies that products read.
#include "kernels/adam.h"
#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"

namespace breakeven {

void HostDevice::adam(std::size_t count, const float* gradient, const AdamSettings& settings,
                      const StepState* state, const AdamArrays& arrays, void* working, Dtype dtype,
                      Stream& stream) {
  if (state->overflow != 0) return;
  const AdamFactors factors = adam_factors(settings, *state);
  const auto [parameter, first_moment, second_moment] = arrays;
  for (std::size_t i = 0; i < count; ++i) {
    adam_update(factors, gradient[i], parameter[i], first_moment[i], second_moment[i]);
  }
  if (working != nullptr) convert(count, parameter, working, dtype, stream);
}

void HostDevice::sgd(std::size_t count, const float* gradient, float learning_rate, const StepState* state,
                     float* parameter, void* working, Dtype dtype, Stream& stream) {
  if (state->overflow != 0) return;
  for (std::size_t i = 0; i < count; ++i) parameter[i] -= learning_rate * gradient[i];
  if (working != nullptr) convert(count, parameter, working, dtype, stream);
}

void HostDevice::convert(std::size_t count, const float* values, void* converted, Dtype dtype,
                         Stream& /*stream*/) {
  from_floats(count, values, converted, dtype);
}

}  // namespace breakeven
