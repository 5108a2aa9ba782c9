// SPDX-License-Identifier: Apache-2.0
// A squared norm from its parts, with overflow told.
#include <cfloat>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/loss_scale.cuh"

namespace breakeven {
namespace {

// One thread: there are as many parts as ranks, or a few times as many.
__global__ void total_of_squares_kernel(const double* parts, std::size_t count, double* sum,
                                        StepState* state) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += parts[i];
  *sum = total;
  tell_overflow(state, !(total <= DBL_MAX));
}

}  // namespace

void CudaDevice::total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                                  Stream& stream) {
  total_of_squares_kernel<<<1, 1, 0, cuda_stream(stream)>>>(parts.data(), parts.size(), sum, state);
  CHECK_LAUNCH("total_of_squares_kernel", static_cast<std::int64_t>(parts.size()));
}

}  // namespace breakeven
