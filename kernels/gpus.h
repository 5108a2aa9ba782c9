// SPDX-License-Identifier: Apache-2.0
// What the driver and the libraries say about the GPUs of this machine, without using a GPU.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace breakeven {

// "GPU-…" as nvidia-smi prints it. Two processes may see one GPU under two ordinals.
std::string gpu_uuid(int gpu);

// Whether the first GPU can access the second's memory directly (cudaDeviceCanAccessPeer). False if both are
// the same GPU or this process does not see both.
bool can_access_peer(const std::string& uuid_a, const std::string& uuid_b);

// {"cuda", "13.0"}, {"cuda driver", "13.0"}, {"cublas", "13.1.0"}; empty in a build without CUDA. "cuda
// driver" is the newest CUDA that the driver supports ("0.0" without a driver), not the driver's own version.
// Without a GPU, cuBLAS is not loaded.
std::vector<std::pair<std::string, std::string>> device_versions();

}  // namespace breakeven
