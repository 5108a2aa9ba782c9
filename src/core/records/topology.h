// SPDX-License-Identifier: Apache-2.0
// The ranks of a launch, their devices, and the links between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/words_of.h"

namespace breakeven {

// What computes: kernels on a GPU, or the same arithmetic on processor cores.
enum class Backend : std::uint8_t { cuda, host };
template <>
inline constexpr auto words_of<Backend> = std::to_array<std::string_view>({"cuda", "host"});

// As the device reports it.
struct DeviceInfo {
  std::string backend;         // a word of Backend; a damaged file may have another
  std::string name;            // "NVIDIA H200", or the processor's name
  std::string uuid;            // "GPU-…" as nvidia-smi prints it; empty on the host
  std::string pci_address;     // "0000:1b:00.0"; empty on the host
  int multiprocessors = 0;     // SMs, or the cores this process may run on
  int compute_capability = 0;  // 90 for sm_90; 0 on the host
  std::size_t memory_bytes = 0;
  int numa_node = -1;  // -1: unknown

  bool is_gpu() const { return backend == name_of(Backend::cuda); }
  bool is_host() const { return backend == name_of(Backend::host); }
};

struct RankInfo {
  std::string host;
  DeviceInfo device;
};

// From one rank to another. Bandwidth is payload per second in one direction; latency is half a round trip of
// one float. Both are measured with the transport that training uses.
struct Link {
  std::string kind;          // "self", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS", "SHM", "NET"; "?" unknown
  bool peer_access = false;  // cudaDeviceCanAccessPeer, both GPUs visible to one process
  double bytes_per_second = 0;  // NaN where not measured
  double latency_seconds = 0;   // NaN where not measured
  bool data_right = false;      // every float that arrived was the one sent
};

struct Topology {
  std::vector<RankInfo> ranks;
  std::vector<Link> links;  // ranks x ranks, row-major: links[from * ranks.size() + to]
};

}  // namespace breakeven
