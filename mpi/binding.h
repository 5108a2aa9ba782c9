// SPDX-License-Identifier: Apache-2.0
// Which GPU each rank owns, and whether the ranks have enough processor cores.
#pragma once

#include <string>
#include <vector>

#include "mpi/session.h"

namespace breakeven {

// Device 0 if only one is visible (the launcher has bound the rank already), else the rank's place on its
// node. -1 if there are too few GPUs. Without MPI, so it can be tested.
int choose_gpu(int visible_gpus, int node_rank, int node_size, bool share_gpus);

// What a rank sees, and the GPU that it would use.
struct GpuClaim {
  int visible_gpus = 0;
  int node_size = 0;
  int gpu = -1;  // choose_gpu()'s answer
  std::string host;
  std::string uuid;
};

// Why the ranks cannot use these GPUs, in one sentence, or "".
std::string binding_problem(const std::vector<GpuClaim>& claims, bool share_gpus);

// A warning if the GPUs of one host are hidden from each other, or "".
std::string binding_remark(const std::vector<GpuClaim>& claims);

struct Binding {
  int gpu = -1;          // CUDA ordinal, or -1
  std::string sentence;  // why there is no GPU, the same on every rank
  std::string remark;    // binding_remark()
};

// Chooses a GPU for every rank, then compares UUIDs, because two ranks may see one GPU under two ordinals.
// Refuses ranks that would share a GPU, unless share_gpus. Collective over the world.
Binding bind_gpu(const Session& session, bool share_gpus);

// What the system lets a rank use.
struct CoreClaim {
  std::string host;
  std::vector<int> cores;  // empty: unknown
  int cores_of_host = 0;
};

// A warning if the ranks of a host may use fewer cores than there are ranks although the host has more, or
// "". A launcher without options may bind all ranks to the same core.
std::string core_remark(const std::vector<CoreClaim>& claims);

// For this launch, the same on every rank. Collective over the world.
std::string core_remark(const Session& session);

}  // namespace breakeven
