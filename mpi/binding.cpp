// SPDX-License-Identifier: Apache-2.0
#include "mpi/binding.h"

#include <cstring>

#include "kernels/device.h"
#include "kernels/gpu_uuid.h"
#include "mpi/mpi_call.h"

namespace breakeven {
namespace {

// What a rank tells the others; of fixed size, so that one gather collects all.
struct Claim {
  int visible_gpus = 0;
  int node_size = 0;
  int gpu = -1;
  char host[128] = "";
  char uuid[64] = "";
};

std::vector<Claim> gather_claims(const Session& session, bool share_gpus) {
  Claim mine;
  mine.visible_gpus = visible_gpus();
  mine.node_size = session.node_size();
  mine.gpu = choose_gpu(mine.visible_gpus, session.node_rank(), session.node_size(), share_gpus);
  std::strncpy(mine.host, session.host().c_str(), sizeof(mine.host) - 1);
  if (mine.gpu >= 0) std::strncpy(mine.uuid, gpu_uuid(mine.gpu).c_str(), sizeof(mine.uuid) - 1);
  std::vector<Claim> claims(static_cast<std::size_t>(session.size()));
  MPI_CALL(
      MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, claims.data(), sizeof(mine), MPI_BYTE, session.world()));
  return claims;
}

std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string too_few(const Claim& claim) {
  if (claim.visible_gpus == 0) {
    return "no GPU is visible on " + std::string(claim.host) + ": pass --backend host to run without";
  }
  return counted(claim.node_size, "rank") + " on " + claim.host + " but " +
         counted(claim.visible_gpus, "GPU") + (claim.visible_gpus == 1 ? " is" : " are") +
         " visible: start fewer ranks, or pass --share-gpus";
}

// Empty where every rank has a GPU, and its own one unless sharing is meant.
std::string complaint(const std::vector<Claim>& claims, bool share_gpus) {
  for (const Claim& claim : claims) {
    if (claim.gpu < 0) return too_few(claim);
  }
  if (share_gpus) return "";
  for (std::size_t a = 0; a < claims.size(); ++a) {
    for (std::size_t b = a + 1; b < claims.size(); ++b) {
      if (std::strcmp(claims[a].uuid, claims[b].uuid) != 0) continue;
      return "ranks " + std::to_string(a) + " and " + std::to_string(b) + " on " + claims[a].host +
             " both got " + claims[a].uuid + ": start fewer ranks, or pass --share-gpus";
    }
  }
  return "";
}

}  // namespace

int choose_gpu(int visible_gpus, int node_rank, int node_size, bool share_gpus) {
  if (visible_gpus < 1) return -1;
  if (visible_gpus == 1) return 0;
  if (share_gpus) return node_rank % visible_gpus;
  return node_size <= visible_gpus ? node_rank : -1;
}

Binding bind_gpu(const Session& session, bool share_gpus) {
  const std::vector<Claim> claims = gather_claims(session, share_gpus);
  const std::string sentence = complaint(claims, share_gpus);
  if (!sentence.empty()) return Binding{-1, sentence};
  return Binding{claims[static_cast<std::size_t>(session.rank())].gpu, ""};
}

}  // namespace breakeven
