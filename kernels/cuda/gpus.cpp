// SPDX-License-Identifier: Apache-2.0
#include "kernels/gpus.h"

#include <array>
#include <cstdio>
#include <string>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm/cublas_library.h"

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

// -1 also if the driver is too old to know.
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

// CUDA counts versions as 1000 major + 10 minor.
std::string major_minor(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cublas_version() {
  std::string version;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int value = 0;
    CUBLAS_CALL(cublasGetProperty(part, &value));
    version += (version.empty() ? "" : ".") + std::to_string(value);
  }
  return version;
}

}  // namespace

int visible_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // having no GPU or no driver is not an error here
  return 0;
}

DeviceInfo describe_gpu(int gpu) {
  cudaDeviceProp properties{};
  CUDA_CALL(cudaGetDeviceProperties(&properties, gpu));
  DeviceInfo info;
  info.backend = name_of(Backend::cuda);
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

std::string gpu_uuid(int gpu) { return describe_gpu(gpu).uuid; }

std::vector<std::pair<std::string, std::string>> device_versions() {
  int runtime = 0;
  int driver = 0;
  CUDA_CALL(cudaRuntimeGetVersion(&runtime));
  CUDA_CALL(cudaDriverGetVersion(&driver));
  std::vector<std::pair<std::string, std::string>> versions{{"cuda", major_minor(runtime)},
                                                            {"cuda driver", major_minor(driver)}};
  if (visible_gpus() > 0) versions.emplace_back("cublas", cublas_version());
  return versions;
}

}  // namespace breakeven
