// SPDX-License-Identifier: Apache-2.0
// The link between two GPUs of a host, named as in `nvidia-smi topo -m`.
#include <string>

#include "kernels/nvml.h"
#include "kernels/telemetry.h"

namespace breakeven {
namespace {

bool nvlink_between(const Nvml& nvml, NvmlDevice* gpu, NvmlDevice* other) {
  int status = -1;
  return nvml.p2p_status != nullptr &&
         nvml.p2p_status(gpu, other, nvml_p2p_nvlink, &status) == nvml_success &&
         status == nvml_p2p_status_ok;
}

// Counts a link to `other` or to a switch, which reaches all GPUs.
bool leads_to(const Nvml& nvml, NvmlDevice* gpu, unsigned link, NvmlDevice* other) {
  int active = 0;
  if (nvml.link_state(gpu, link, &active) != nvml_success || active == 0) return false;
  int type = -1;
  const bool known =
      nvml.link_remote_type != nullptr && nvml.link_remote_type(gpu, link, &type) == nvml_success;
  if (!known || type != nvml_link_to_gpu) return true;
  NvmlPciInfo remote{};
  NvmlPciInfo wanted{};
  if (nvml.link_remote_pci == nullptr || nvml.link_remote_pci(gpu, link, &remote) != nvml_success)
    return true;
  if (nvml.pci_info == nullptr || nvml.pci_info(other, &wanted) != nvml_success) return true;
  return remote.domain == wanted.domain && remote.bus == wanted.bus && remote.device == wanted.device;
}

unsigned count_nvlinks(const Nvml& nvml, NvmlDevice* gpu, NvmlDevice* other) {
  unsigned links = 0;
  if (nvml.link_state == nullptr || !nvlink_between(nvml, gpu, other)) return 0;
  for (unsigned link = 0; link < nvml_most_links; ++link) {
    if (leads_to(nvml, gpu, link, other)) ++links;
  }
  return links;
}

// nvmlGpuTopologyLevel_t, from the same board to across sockets.
std::string pcie_path(int level) {
  switch (level) {
    case 0:
    case 10:
      return "PIX";
    case 20:
      return "PXB";
    case 30:
      return "PHB";
    case 40:
      return "NODE";
    case 50:
      return "SYS";
    default:
      return "?";
  }
}

}  // namespace

std::string link_kind(const std::string& uuid, const std::string& other_uuid) {
  const Nvml nvml;
  NvmlDevice* gpu = nvml.device(uuid);
  NvmlDevice* other = nvml.device(other_uuid);
  if (gpu == nullptr || other == nullptr) return "?";
  if (const unsigned links = count_nvlinks(nvml, gpu, other); links > 0) return "NV" + std::to_string(links);
  int level = -1;
  if (nvml.common_ancestor == nullptr || nvml.common_ancestor(gpu, other, &level) != nvml_success) return "?";
  return pcie_path(level);
}

}  // namespace breakeven
