// SPDX-License-Identifier: Apache-2.0
// Opens the device that a rank computes on.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/device.h"
#include "mpi/session.h"

namespace breakeven {

// `backend` is "cuda", "host", or "auto": CUDA if every rank sees a GPU, else the host; rank 0 then says so
// in one line on stderr. If there are too few GPUs, rank 0 says why in one sentence and all ranks get null;
// the program then ends with ExitCode::environment. Ranks that share a GPU (share_gpus) can only communicate
// over MPI, because NCCL refuses them. Collective over the world.
std::unique_ptr<Device> open_device(const Session& session, std::string_view backend, bool share_gpus);

}  // namespace breakeven
