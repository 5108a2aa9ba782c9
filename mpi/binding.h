// SPDX-License-Identifier: Apache-2.0
// Which GPU a rank owns.
#pragma once

#include <string>
#include <vector>

#include "mpi/session.h"

namespace breakeven {

// The rule, apart from MPI so that it can be tested: device 0 where only one is visible (the launcher has
// bound the rank already), else the rank's place on its node. Returns -1 where there are too few GPUs.
int choose_gpu(int visible_gpus, int node_rank, int node_size, bool share_gpus);

// What a rank sees and what it would take.
struct GpuClaim {
  int visible_gpus = 0;
  int node_size = 0;
  int gpu = -1;  // choose_gpu()'s answer
  std::string host;
  std::string uuid;
};

// Why the ranks cannot go on with what they claim, in one sentence; empty where they can.
std::string binding_problem(const std::vector<GpuClaim>& claims, bool share_gpus);

// What slows down ranks that can go on: peers of one host that are hidden from each other. Else empty.
std::string binding_remark(const std::vector<GpuClaim>& claims);

struct Binding {
  int gpu = -1;          // CUDA ordinal, or -1 where `sentence` says why there is none
  std::string sentence;  // the reason, the same on every rank
  std::string remark;    // binding_remark()'s, where there is none
};

// Chooses for every rank; then compares the UUIDs, since two ranks may see one GPU under two ordinals.
// Refuses ranks that would share a GPU unless share_gpus. Collective over the world.
Binding bind_gpu(const Session& session, bool share_gpus);

}  // namespace breakeven
