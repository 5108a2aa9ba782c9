// SPDX-License-Identifier: Apache-2.0
// Which GPUs this process sees, what they are, and which of them reach each other's memory.
#include <array>
#include <cstdio>
#include <string>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/peer.h"

namespace breakeven {
namespace {

// As nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.
std::string printed(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    text += hex.data();
  }
  return text;
}

std::string pci_address(const cudaDeviceProp& gpu) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", static_cast<unsigned>(gpu.pciDomainID),
                static_cast<unsigned>(gpu.pciBusID), static_cast<unsigned>(gpu.pciDeviceID));
  return text.data();
}

// Older drivers do not know the question: -1, as on a host without NUMA.
int numa_node_of(int gpu) {
  int node = -1;
  if (cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, gpu) == cudaSuccess) return node;
  cudaGetLastError();
  return -1;
}

// CUDA ordinal in this process, or -1.
int gpu_with(const std::string& uuid) {
  const int count = visible_gpus();
  for (int gpu = 0; gpu < count; ++gpu) {
    cudaDeviceProp properties{};
    CUDA_CALL(cudaGetDeviceProperties(&properties, gpu));
    if (printed(properties.uuid) == uuid) return gpu;
  }
  return -1;
}

}  // namespace

int visible_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // no GPU or no driver is an answer here, not an error
  return 0;
}

DeviceInfo describe_gpu(int gpu) {
  cudaDeviceProp properties{};
  CUDA_CALL(cudaGetDeviceProperties(&properties, gpu));
  DeviceInfo info;
  info.backend = "cuda";
  info.name = properties.name;
  info.uuid = printed(properties.uuid);
  info.pci_address = pci_address(properties);
  info.multiprocessors = properties.multiProcessorCount;
  info.compute_capability = 10 * properties.major + properties.minor;
  info.memory_bytes = properties.totalGlobalMem;
  info.numa_node = numa_node_of(gpu);
  return info;
}

bool can_access_peer(const std::string& uuid_a, const std::string& uuid_b) {
  const int a = gpu_with(uuid_a);
  const int b = gpu_with(uuid_b);
  if (a < 0 || b < 0 || a == b) return false;
  int possible = 0;
  CUDA_CALL(cudaDeviceCanAccessPeer(&possible, a, b));
  return possible != 0;
}

}  // namespace breakeven
