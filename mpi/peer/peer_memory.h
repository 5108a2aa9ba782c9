// SPDX-License-Identifier: Apache-2.0
// The areas of all GPUs of a group, mapped into this process by CUDA IPC (CUDA programming guide,
// "Interprocess Communication").
#pragma once

#include <cuda_runtime_api.h>
#include <mpi.h>

#include <array>

#include "mpi/peer/peer_group.h"
#include "src/core/handle.h"

namespace breakeven::peer {

using Mapped = std::array<Handle<void*, cudaIpcCloseMemHandle>, most_ranks>;

class Memory {
 public:
  // Collective over the group, which is borrowed. Throws Failure(environment) on every rank if the ranks are
  // on several hosts or too many, or one GPU cannot map another's memory.
  explicit Memory(MPI_Comm group);
  // Collective on the good path: nobody's memory is freed while another has it mapped. Gives up waiting after
  // two seconds, as where a rank has failed.
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const Group& group() const { return group_; }
  // The rank that did not answer in time, or -1.
  int unanswered() const;

 private:
  MPI_Comm mpi_;
  Group group_{};
  Handle<void*, cudaFree> area_;
  Handle<void*, cudaFree> counts_;
  Handle<void*, cudaFreeHost> unanswered_;
  Mapped mapped_;
};

}  // namespace breakeven::peer
