// SPDX-License-Identifier: Apache-2.0
// A step's loss from those of its micro-batches.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"

namespace breakeven {
namespace {

// One thread: there are as many parts as micro-batches.
__global__ void total_of_losses_kernel(const float* parts, std::size_t count, const StepState* state,
                                       float* losses, std::size_t slots) {
  float total = 0;
  for (std::size_t i = 0; i < count; ++i) total += parts[i];
  losses[state->step % slots] = total;
}

}  // namespace

void CudaDevice::total_of_losses(std::span<const float> parts, const StepState* state,
                                 std::span<float> losses, Stream& stream) {
  total_of_losses_kernel<<<1, 1, 0, cuda_stream(stream)>>>(parts.data(), parts.size(), state, losses.data(),
                                                           losses.size());
  CHECK_LAUNCH("total_of_losses_kernel", static_cast<std::int64_t>(parts.size()));
}

}  // namespace breakeven
