// SPDX-License-Identifier: Apache-2.0
#include "kernels/gpu_uuid.h"

#include "kernels/cuda/cuda_device.h"

namespace breakeven {

std::string gpu_uuid(int gpu) { return describe_gpu(gpu).uuid; }

}  // namespace breakeven
