// SPDX-License-Identifier: Apache-2.0
#include "kernels/telemetry.h"

#include <array>

#include "kernels/nvml.h"

namespace breakeven {
namespace {

constexpr double unknown = GpuReading::unknown;

// The value of `function(arguments..., &value)`, or NaN if the function does not exist or fails.
template <typename Value, typename Function, typename... Arguments>
double read_number(Function* function, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != nvml_success) return unknown;
  return static_cast<double>(value);
}

double utilization_percent(const Nvml& nvml, NvmlDevice* gpu) {
  NvmlUtilization rates{};
  if (nvml.utilization == nullptr || nvml.utilization(gpu, &rates) != nvml_success) return unknown;
  return rates.gpu_percent;
}

double instant_power_watts(const Nvml& nvml, NvmlDevice* gpu) {
  NvmlFieldValue power{};
  power.field = nvml_power_instant;
  if (nvml.field_values == nullptr || nvml.field_values(gpu, 1, &power) != nvml_success ||
      power.status != nvml_success || power.value_type != nvml_unsigned)
    return unknown;
  return 1e-3 * static_cast<unsigned>(power.value);
}

double used_memory_bytes(const Nvml& nvml, NvmlDevice* gpu) {
  NvmlMemory memory{};
  if (nvml.memory == nullptr || nvml.memory(gpu, &memory) != nvml_success) return unknown;
  return static_cast<double>(memory.used_bytes);
}

}  // namespace

struct GpuMonitor::Library {
  Nvml nvml;
  NvmlDevice* gpu = nullptr;
};

GpuMonitor::GpuMonitor(const std::string& uuid) {
  if (uuid.empty()) return;
  library_ = std::make_unique<Library>();
  library_->gpu = library_->nvml.device(uuid);
}

GpuMonitor::~GpuMonitor() = default;

GpuReading GpuMonitor::read() const {
  if (library_ == nullptr || library_->gpu == nullptr) return {};
  const Nvml& nvml = library_->nvml;
  NvmlDevice* gpu = library_->gpu;
  return {
      .utilization_percent = utilization_percent(nvml, gpu),
      .sm_clock_hz = 1e6 * read_number<unsigned>(nvml.clock_mhz, gpu, nvml_clock_sm),
      .temperature_celsius = read_number<unsigned>(nvml.temperature_celsius, gpu, nvml_temperature_gpu),
      .power_watts = 1e-3 * read_number<unsigned>(nvml.power_milliwatts, gpu),
      .instant_power_watts = instant_power_watts(nvml, gpu),
      .power_limit_watts = 1e-3 * read_number<unsigned>(nvml.power_limit_milliwatts, gpu),
      .energy_joules = 1e-3 * read_number<unsigned long long>(nvml.energy_millijoules, gpu),
      .throttle_reasons = read_number<unsigned long long>(nvml.clocks_event_reasons, gpu),
      .device_memory_bytes = used_memory_bytes(nvml, gpu),
  };
}

std::string GpuMonitor::driver_version() const {
  std::array<char, 96> text{};
  if (library_ == nullptr || library_->nvml.driver_version == nullptr) return "";
  if (library_->nvml.driver_version(text.data(), text.size()) != nvml_success) return "";
  return text.data();
}

}  // namespace breakeven
