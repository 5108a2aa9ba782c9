// SPDX-License-Identifier: Apache-2.0
// The build without CUDA: asking for exchanges over peer memory is answered by a sentence.
#include "mpi/communicator.h"
#include "mpi/transports.h"
#include "src/core/failure.h"

namespace breakeven {

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

}  // namespace breakeven
