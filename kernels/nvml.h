// SPDX-License-Identifier: Apache-2.0
// The few functions of NVML that breakeven uses; all only read. They are declared by hand and looked up in
// the driver's library at run time, so the program builds and runs without NVML. Names, numbers and layouts
// are those of nvml.h, which NVIDIA keeps compatible within version 1 of the library.
#pragma once

#include <string>

namespace breakeven {

struct NvmlDevice;  // opaque

struct NvmlUtilization {
  unsigned gpu_percent;
  unsigned memory_percent;
};

struct NvmlMemory {
  unsigned long long total_bytes;
  unsigned long long free_bytes;
  unsigned long long used_bytes;
};

struct NvmlFieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_microseconds;
  long long latency_microseconds;
  int value_type;  // nvml_unsigned: the first four bytes of `value` count
  int status;
  unsigned long long value;
};

struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};

inline constexpr int nvml_success = 0;
inline constexpr int nvml_temperature_gpu = 0;
inline constexpr int nvml_clock_sm = 1;
inline constexpr unsigned nvml_power_instant = 186;  // NVML_FI_DEV_POWER_INSTANT
inline constexpr int nvml_unsigned = 1;              // nvmlValueType_t
inline constexpr int nvml_p2p_nvlink = 2;            // nvmlGpuP2PCapsIndex_t
inline constexpr int nvml_p2p_status_ok = 0;
inline constexpr int nvml_link_to_gpu = 0;  // nvmlIntNvLinkDeviceType_t; to a switch is 2
inline constexpr unsigned nvml_most_links = 18;

// A loaded and initialised library. Without one, all pointers below are null.
class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;  // one initialisation, one shutdown
  Nvml& operator=(const Nvml&) = delete;

  NvmlDevice* device(const std::string& uuid) const;  // null if unknown

  int (*utilization)(NvmlDevice*, NvmlUtilization*) = nullptr;
  int (*clock_mhz)(NvmlDevice*, int clock, unsigned*) = nullptr;
  int (*temperature_celsius)(NvmlDevice*, int sensor, unsigned*) = nullptr;
  int (*power_milliwatts)(NvmlDevice*, unsigned*) = nullptr;
  int (*power_limit_milliwatts)(NvmlDevice*, unsigned*) = nullptr;
  int (*field_values)(NvmlDevice*, int count, NvmlFieldValue*) = nullptr;
  int (*energy_millijoules)(NvmlDevice*, unsigned long long*) = nullptr;
  int (*clocks_event_reasons)(NvmlDevice*, unsigned long long*) = nullptr;
  int (*memory)(NvmlDevice*, NvmlMemory*) = nullptr;
  int (*driver_version)(char*, unsigned length) = nullptr;
  int (*common_ancestor)(NvmlDevice*, NvmlDevice*, int* level) = nullptr;
  int (*p2p_status)(NvmlDevice*, NvmlDevice*, int capability, int* status) = nullptr;
  int (*link_state)(NvmlDevice*, unsigned link, int* active) = nullptr;
  int (*link_remote_type)(NvmlDevice*, unsigned link, int* type) = nullptr;
  int (*link_remote_pci)(NvmlDevice*, unsigned link, NvmlPciInfo*) = nullptr;
  int (*pci_info)(NvmlDevice*, NvmlPciInfo*) = nullptr;

 private:
  void find_functions();

  void* library_ = nullptr;
  int (*shutdown_)() = nullptr;
  int (*device_by_uuid_)(const char*, NvmlDevice**) = nullptr;
};

}  // namespace breakeven
