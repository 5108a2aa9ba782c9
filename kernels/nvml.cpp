// SPDX-License-Identifier: Apache-2.0
#include "kernels/nvml.h"

#include <dlfcn.h>

namespace breakeven {
namespace {

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Nvml::Nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return;
  int (*init)() = nullptr;
  find(library, "nvmlInit_v2", init);
  if (init == nullptr || init() != nvml_success) {
    dlclose(library);
    return;
  }
  library_ = library;
  find_functions();
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  if (shutdown_ != nullptr) shutdown_();
  dlclose(library_);
}

void Nvml::find_functions() {
  find(library_, "nvmlShutdown", shutdown_);
  find(library_, "nvmlDeviceGetHandleByUUID", device_by_uuid_);
  find(library_, "nvmlDeviceGetUtilizationRates", utilization);
  find(library_, "nvmlDeviceGetClockInfo", clock_mhz);
  find(library_, "nvmlDeviceGetTemperature", temperature_celsius);
  find(library_, "nvmlDeviceGetPowerUsage", power_milliwatts);
  find(library_, "nvmlDeviceGetEnforcedPowerLimit", power_limit_milliwatts);
  find(library_, "nvmlDeviceGetFieldValues", field_values);
  find(library_, "nvmlDeviceGetTotalEnergyConsumption", energy_millijoules);
  find(library_, "nvmlDeviceGetCurrentClocksEventReasons", clocks_event_reasons);
  if (clocks_event_reasons == nullptr) {  // its name in drivers before 535
    find(library_, "nvmlDeviceGetCurrentClocksThrottleReasons", clocks_event_reasons);
  }
  find(library_, "nvmlDeviceGetMemoryInfo", memory);
  find(library_, "nvmlSystemGetDriverVersion", driver_version);
  find(library_, "nvmlDeviceGetTopologyCommonAncestor", common_ancestor);
  find(library_, "nvmlDeviceGetP2PStatus", p2p_status);
  find(library_, "nvmlDeviceGetNvLinkState", link_state);
  find(library_, "nvmlDeviceGetNvLinkRemoteDeviceType", link_remote_type);
  find(library_, "nvmlDeviceGetNvLinkRemotePciInfo_v2", link_remote_pci);
  find(library_, "nvmlDeviceGetPciInfo_v3", pci_info);
}

NvmlDevice* Nvml::device(const std::string& uuid) const {
  NvmlDevice* device = nullptr;
  if (uuid.empty() || device_by_uuid_ == nullptr) return nullptr;
  return device_by_uuid_(uuid.c_str(), &device) == nvml_success ? device : nullptr;
}

}  // namespace breakeven
