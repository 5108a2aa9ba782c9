// SPDX-License-Identifier: Apache-2.0
// What a device says of itself.
#pragma once

#include <cstddef>
#include <string>

namespace breakeven {

struct DeviceInfo {
  std::string backend;         // "cuda" or "host"
  std::string name;            // "NVIDIA H200", or the processor's name
  std::string uuid;            // "GPU-…" as nvidia-smi prints it; empty on the host
  std::string pci_address;     // "0000:1b:00.0"; empty on the host
  int multiprocessors = 0;     // SMs, or the cores this process may run on
  int compute_capability = 0;  // 90 for sm_90; 0 on the host
  std::size_t memory_bytes = 0;
  int numa_node = -1;  // -1: unknown
};

}  // namespace breakeven
