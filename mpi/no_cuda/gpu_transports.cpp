// SPDX-License-Identifier: Apache-2.0
// The build without CUDA: asking for a transport between GPUs is answered by a sentence.
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

template <>
TransportInfo describe_transport<Transport::peer>() {
  return {
      .transport = Transport::peer,
      .place = 3,
      .obstacle = [](const TransportSite&) -> std::string { return "needs the cuda backend"; },
      .capturable = [](const TransportSite&) { return true; },
      .make = [](MPI_Comm, Device&) -> std::unique_ptr<Communicator> {
        throw Failure(ExitCode::environment, "this breakeven was built without CUDA. Pass --transports mpi");
      },
  };
}

std::string nccl_version() { return "none"; }

}  // namespace breakeven
