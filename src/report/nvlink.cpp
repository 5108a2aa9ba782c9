// SPDX-License-Identifier: Apache-2.0
#include "src/report/nvlink.h"

namespace breakeven {

bool goes_by_nvlink(const Launch& launch, int gpus) {
  for (const auto& [name, value] : launch.environment)
    if (name == "NCCL_P2P_DISABLE" && value == "1") return false;
  const std::size_t ranks = launch.topology.ranks.size();
  if (ranks < static_cast<std::size_t>(gpus) || launch.topology.links.size() != ranks * ranks) return false;
  for (std::size_t from = 0; from < static_cast<std::size_t>(gpus); ++from)
    for (std::size_t to = 0; to < static_cast<std::size_t>(gpus); ++to)
      if (from != to && !launch.topology.links[from * ranks + to].kind.starts_with("NV")) return false;
  return true;
}

}  // namespace breakeven
