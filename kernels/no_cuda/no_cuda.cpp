// SPDX-License-Identifier: Apache-2.0
// The build without CUDA: there is no GPU, and no profiler.
#include "kernels/device.h"
#include "kernels/gpus.h"
#include "kernels/kernel_recorder.h"
#include "kernels/profiler_range.h"
#include "src/core/failure.h"

namespace breakeven {

int visible_gpus() { return 0; }

std::unique_ptr<Device> make_cuda_device(int gpu) {
  throw failed_call("make_cuda_device", __FILE__, __LINE__, "this program was built without CUDA",
                    "GPU " + std::to_string(gpu) + " was asked for; --backend host works");
}

std::string gpu_uuid(int /*gpu*/) { return ""; }

bool can_access_peer(const std::string& /*uuid_a*/, const std::string& /*uuid_b*/) { return false; }

std::vector<std::pair<std::string, std::string>> device_versions() { return {}; }

void push_profiler_range(const char*) {}

void pop_profiler_range() {}

std::unique_ptr<KernelRecorder> make_kernel_recorder() {
  throw Failure(ExitCode::environment, "this program was built without CUDA, so it records no kernels");
}

}  // namespace breakeven
