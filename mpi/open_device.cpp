// SPDX-License-Identifier: Apache-2.0
#include "mpi/open_device.h"

#include <algorithm>
#include <cstdio>

#include "mpi/binding.h"
#include "mpi/mpi_call.h"
#include "mpi/terminate.h"

namespace breakeven {
namespace {

bool gpus_everywhere(const Session& session) {
  int fewest = visible_gpus();
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &fewest, 1, MPI_INT, MPI_MIN, session.world()));
  return fewest > 0;
}

void say(const Session& session, const std::string& sentence) {
  if (session.is_root()) std::fprintf(stderr, "breakeven: %s\n", sentence.c_str());
}

}  // namespace

std::unique_ptr<Device> open_device(const Session& session, std::string_view backend, bool share_gpus) {
  if (backend == "auto" && !gpus_everywhere(session)) {
    say(session, session.size() == 1 ? "no GPU is visible: running on the host backend"
                                     : "a rank sees no GPU: all ranks run on the host backend");
    backend = "host";
  }
  if (backend == "host") return make_host_device();

  const Binding binding = bind_gpu(session, share_gpus);
  if (binding.gpu < 0) {
    say(session, binding.sentence);
    return nullptr;
  }
  report_gpu_as(binding.gpu);
  return make_cuda_device(binding.gpu);
}

}  // namespace breakeven
