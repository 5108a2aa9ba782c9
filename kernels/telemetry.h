// SPDX-License-Identifier: Apache-2.0
// Readings of one GPU by NVML. The library is loaded at first use. A reading that NVML does not give is NaN;
// nothing fails.
#pragma once

#include <limits>
#include <memory>
#include <string>

namespace breakeven {

struct GpuReading {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double utilization_percent = unknown;
  double sm_clock_hz = unknown;
  double temperature_celsius = unknown;
  double power_watts = unknown;          // since Ampere the mean of about the last second
  double instant_power_watts = unknown;  // of the last tens of milliseconds
  double power_limit_watts = unknown;
  double energy_joules = unknown;        // since the driver was loaded
  double throttle_reasons = unknown;     // NVML's bit mask (nvmlClocksEventReasons), exact in a double
  double device_memory_bytes = unknown;  // used on the whole GPU
};

class GpuMonitor {
 public:
  explicit GpuMonitor(const std::string& uuid);  // "" (the host device): every reading is NaN
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;  // holds a reference on a loaded library
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  GpuReading read() const;
  std::string driver_version() const;  // "" if unknown

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

// The link between two GPUs of this host: "NV18" (18 active NVLinks), or the PCIe path as in nvidia-smi topo
// ("PIX", "PXB", "PHB", "NODE", "SYS"); "?" if NVML does not know.
std::string link_kind(const std::string& uuid, const std::string& other_uuid);

}  // namespace breakeven
