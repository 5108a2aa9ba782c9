// SPDX-License-Identifier: Apache-2.0
// The device that a rank computes on, by what the user asked for and what the machine has.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/device.h"
#include "mpi/session.h"

namespace breakeven {

// `backend` is "cuda", "host", or "auto": CUDA where every rank's node shows a GPU, else the host, which rank
// 0 then says in one line on stderr. Where the GPUs do not suffice the answer is null on every rank, after
// rank 0 has said why in one sentence: the program then ends with ExitCode::environment. Ranks that share a
// GPU (share_gpus) can exchange over MPI only, since NCCL refuses them. Collective over the world.
std::unique_ptr<Device> open_device(const Session& session, std::string_view backend, bool share_gpus);

}  // namespace breakeven
