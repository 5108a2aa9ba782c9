// SPDX-License-Identifier: Apache-2.0
// Makes the host device. Its name, cores, memory and NUMA node come from /proc, /sys and the scheduler; what
// Linux does not tell keeps its default.
#include "kernels/host/host_device.h"

#include <cblas.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace breakeven {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "host processor";  // not every architecture has a model name
}

// Whether all of `cores` are in a list such as "0-15,32-47".
bool list_covers(std::istream& list, const cpu_set_t& cores) {
  cpu_set_t listed;
  CPU_ZERO(&listed);
  for (std::string range; std::getline(list, range, ',');) {
    std::istringstream text(range);
    int first = -1;
    int last = -1;
    if (!(text >> first)) continue;
    if (text.get() != '-' || !(text >> last)) last = first;
    for (int core = first; core <= last && core < CPU_SETSIZE; ++core) CPU_SET(core, &listed);
  }
  cpu_set_t both;
  CPU_AND(&both, &listed, &cores);
  return CPU_EQUAL(&both, &cores);
}

// The node that has all of `cores`, or -1 if there is none or Linux does not tell.
int numa_node_of(const cpu_set_t& cores) {
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/node", unreadable)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("node") || name.find_first_not_of("0123456789", 4) != std::string::npos) continue;
    std::ifstream list(entry.path() / "cpulist");
    if (list && list_covers(list, cores)) return std::stoi(name.substr(4));
  }
  return -1;
}

DeviceInfo describe_processor() {
  DeviceInfo info;
  info.backend = name_of(Backend::host);
  info.name = processor_name();
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) {
    info.memory_bytes = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
  }
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    info.multiprocessors = CPU_COUNT(&cores);
    info.numa_node = numa_node_of(cores);
  }
  return info;
}

}  // namespace

// One BLAS thread per rank: the ranks already share the cores.
HostDevice::HostDevice() : info_(describe_processor()) { openblas_set_num_threads(1); }

std::unique_ptr<Device> make_host_device() { return std::make_unique<HostDevice>(); }

}  // namespace breakeven
