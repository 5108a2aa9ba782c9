// SPDX-License-Identifier: Apache-2.0
// What stands for the CUDA device in a build without CUDA: there is no GPU to see.
#include "kernels/device.h"
#include "src/core/failure.h"

namespace breakeven {

int visible_gpus() { return 0; }

std::unique_ptr<Device> make_cuda_device(int gpu) {
  throw Failure(ExitCode::environment, std::string(__FILE__) + ":" + std::to_string(__LINE__) +
                                           ": make_cuda_device -> this program was built without CUDA (GPU " +
                                           std::to_string(gpu) + " was asked for; --backend host works)");
}

}  // namespace breakeven
