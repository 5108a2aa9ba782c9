// SPDX-License-Identifier: Apache-2.0
// The build without CUDA: asking for a transport between GPUs is answered by a sentence.
#include "mpi/communicator.h"
#include "mpi/transports.h"
#include "src/core/failure.h"

namespace breakeven {

std::unique_ptr<Communicator> make_nccl_communicator(MPI_Comm, Device&) {
  throw Failure(ExitCode::environment, "this breakeven was built without NCCL. Pass --transports mpi");
}

std::unique_ptr<Communicator> make_peer_communicator(MPI_Comm, Device&) {
  throw Failure(ExitCode::environment, "this breakeven was built without CUDA. Pass --transports mpi");
}

std::string try_peer_memory(MPI_Comm) { return "this breakeven was built without CUDA"; }

std::string nccl_version() { return "none"; }

}  // namespace breakeven
