// SPDX-License-Identifier: Apache-2.0
// The build without CUDA: asking for exchanges over peer memory is answered by a sentence.
#include "mpi/communicator.h"
#include "mpi/transports.h"
#include "src/core/failure.h"

namespace breakeven {

std::unique_ptr<Communicator> make_peer_communicator(MPI_Comm, Device&) {
  throw Failure(ExitCode::environment, "this breakeven was built without CUDA. Pass --transports mpi");
}

template <>
TransportInfo describe_transport<Transport::peer>() {
  return {
      .transport = Transport::peer,
      .place = 3,
      .obstacle = [](const TransportSite&) -> std::string { return "needs the cuda backend"; },
      .capturable = [](const TransportSite&) { return true; },
      .make = make_peer_communicator,
  };
}

}  // namespace breakeven
