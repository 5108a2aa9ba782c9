// SPDX-License-Identifier: Apache-2.0
// The state of one GPU as NVML tells it. The library is loaded when first needed: where it is absent, or a
// reading is refused, the value is NaN and nothing fails.
#pragma once

#include <memory>
#include <string>

namespace breakeven {

struct GpuReading {
  double utilization_percent;
  double sm_clock_hz;
  double temperature_celsius;
  double power_watts;
  double energy_joules;        // since the driver was loaded
  double throttle_reasons;     // NVML's bit mask (nvmlClocksEventReasons), exact in a double
  double device_memory_bytes;  // used on the whole GPU
};

class GpuMonitor {
 public:
  explicit GpuMonitor(const std::string& uuid);  // "" (the host device): every reading is NaN
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;  // holds a reference on a loaded library
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  GpuReading read() const;
  std::string driver_version() const;  // "" where unknown

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

// "NV18" (active NVLinks) or the PCIe path of nvidia-smi topo: "PIX", "PXB", "PHB", "NODE", "SYS"; "?" where
// NVML does not tell. Both GPUs are of this host.
std::string link_kind(const std::string& uuid, const std::string& other_uuid);

}  // namespace breakeven
