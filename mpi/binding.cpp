// SPDX-License-Identifier: Apache-2.0
#include "mpi/binding.h"

#include <sched.h>
#include <unistd.h>

#include <map>
#include <set>

#include "kernels/device.h"
#include "kernels/gpus.h"
#include "mpi/pack.h"

namespace breakeven {
namespace {

// GpuClaim with fixed sizes, so that one gather collects all.
struct PackedClaim {
  int visible_gpus;
  int node_size;
  int gpu;
  char host[128];
  char uuid[64];
};

std::vector<GpuClaim> gather_claims(const Session& session, bool share_gpus) {
  PackedClaim mine = {};
  mine.visible_gpus = visible_gpus();
  mine.node_size = session.node_size();
  mine.gpu = choose_gpu(mine.visible_gpus, session.node_rank(), session.node_size(), share_gpus);
  pack_text(mine.host, session.host());
  if (mine.gpu >= 0) pack_text(mine.uuid, gpu_uuid(mine.gpu));

  std::vector<GpuClaim> claims;
  for (const PackedClaim& claim : gather_records(session.world(), std::vector{mine})) {
    claims.push_back({claim.visible_gpus, claim.node_size, claim.gpu, claim.host, claim.uuid});
  }
  return claims;
}

std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string too_few(const GpuClaim& claim) {
  if (claim.visible_gpus == 0)
    return "no GPU is visible on " + claim.host + ". To run on the CPU, pass --backend host";
  const std::string gpus = std::to_string(claim.visible_gpus);
  return counted(claim.node_size, "rank") + " on " + claim.host + " but " +
         counted(claim.visible_gpus, "GPU") + " are visible. Start fewer ranks (mpirun --map-by ppr:" + gpus +
         ":node, srun --ntasks-per-node=" + gpus +
         "), request more GPUs from Slurm (--gpus-per-node=" + std::to_string(claim.node_size) +
         "), or pass --share-gpus";
}

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

int choose_gpu(int visible_gpus, int node_rank, int node_size, bool share_gpus) {
  if (visible_gpus < 1) return -1;
  if (visible_gpus == 1) return 0;
  if (share_gpus) return node_rank % visible_gpus;
  return node_size <= visible_gpus ? node_rank : -1;
}

std::string binding_problem(const std::vector<GpuClaim>& claims, bool share_gpus) {
  for (const GpuClaim& claim : claims) {
    if (claim.gpu < 0) return too_few(claim);
  }
  if (share_gpus) return "";
  for (std::size_t a = 0; a < claims.size(); ++a) {
    for (std::size_t b = a + 1; b < claims.size(); ++b) {
      if (claims[a].uuid != claims[b].uuid) continue;
      return "ranks " + std::to_string(a) + " and " + std::to_string(b) + " on " + claims[a].host +
             " both got " + claims[a].uuid +
             ". Give each rank its own GPU (--gpus-per-node with srun and sbatch, all of them in "
             "CUDA_VISIBLE_DEVICES), start fewer ranks, or pass --share-gpus";
    }
  }
  return "";
}

std::string binding_remark(const std::vector<GpuClaim>& claims) {
  for (std::size_t a = 0; a < claims.size(); ++a) {
    for (std::size_t b = a + 1; b < claims.size(); ++b) {
      const bool sees_one = claims[a].visible_gpus == 1 && claims[b].visible_gpus == 1;
      if (!sees_one || claims[a].host != claims[b].host || claims[a].uuid == claims[b].uuid) continue;
      return "each rank on " + claims[a].host +
             " sees only its own GPU, so that GPUs may not access each other's memory. Request GPUs with "
             "--gpus-per-node, without --gpus-per-task or --gpu-bind, and leave all of them in "
             "CUDA_VISIBLE_DEVICES";
    }
  }
  return "";
}

Binding bind_gpu(const Session& session, bool share_gpus) {
  const std::vector<GpuClaim> claims = gather_claims(session, share_gpus);
  const std::string sentence = binding_problem(claims, share_gpus);
  if (!sentence.empty()) return Binding{-1, sentence, ""};
  return Binding{claims[static_cast<std::size_t>(session.rank())].gpu, "", binding_remark(claims)};
}

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
