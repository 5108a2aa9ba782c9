// SPDX-License-Identifier: Apache-2.0
// The build without NCCL: asking for it is answered by a sentence.
#include "mpi/communicator.h"
#include "mpi/transports.h"
#include "src/core/failure.h"

namespace breakeven {

std::unique_ptr<Communicator> make_nccl_communicator(MPI_Comm, Device&) {
  throw Failure(ExitCode::environment, "this breakeven was built without NCCL. Pass --transports mpi");
}

template <>
TransportInfo describe_transport<Transport::nccl>() {
  return {
      .transport = Transport::nccl,
      .place = 1,
      .obstacle = [](const TransportSite& site) -> std::string {
        return site.share_gpus ? "refuses ranks that share a GPU"
                               : "needs the cuda backend and a build with NCCL";
      },
      .capturable = [](const TransportSite&) { return true; },
      .make = make_nccl_communicator,
  };
}

std::string nccl_version() { return "none"; }

}  // namespace breakeven
