// SPDX-License-Identifier: Apache-2.0
#include "mpi/core_binding.h"

#include <sched.h>
#include <unistd.h>

#include <map>
#include <set>

#include "mpi/pack.h"

namespace breakeven {
namespace {

// CoreClaim with fixed sizes, so that one gather collects all.
struct PackedCores {
  char host[128];
  cpu_set_t cores;
  int cores_of_host;
};

// The ranks of one host together.
struct HostCores {
  int ranks = 0;
  bool is_known = true;
  std::set<int> cores;
  int cores_of_host = 0;
};

}  // namespace

std::string core_remark(const std::vector<CoreClaim>& claims) {
  std::map<std::string, HostCores> hosts;
  for (const CoreClaim& claim : claims) {
    HostCores& host = hosts[claim.host];
    ++host.ranks;
    host.is_known = host.is_known && !claim.cores.empty();
    host.cores.insert(claim.cores.begin(), claim.cores.end());
    host.cores_of_host = claim.cores_of_host;
  }
  for (const auto& [name, host] : hosts) {
    const int cores = static_cast<int>(host.cores.size());
    if (!host.is_known || cores >= host.ranks || cores >= host.cores_of_host) continue;
    return "the " + std::to_string(host.ranks) + " ranks on " + name + " may use only " +
           std::to_string(cores) + " of its " + std::to_string(host.cores_of_host) +
           " cores. Pass --cpus-per-task=N to srun too (srun does not inherit it from sbatch), or --bind-to "
           "none to mpirun";
  }
  return "";
}

std::string core_remark(const Session& session) {
  PackedCores mine = {};
  pack_text(mine.host, session.host());
  mine.cores_of_host = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (sched_getaffinity(0, sizeof mine.cores, &mine.cores) != 0) CPU_ZERO(&mine.cores);

  std::vector<CoreClaim> claims;
  for (const PackedCores& packed : gather_records(session.world(), std::vector{mine})) {
    CoreClaim claim{packed.host, {}, packed.cores_of_host};
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &packed.cores)) claim.cores.push_back(core);
    }
    claims.push_back(claim);
  }
  return core_remark(claims);
}

}  // namespace breakeven
