// SPDX-License-Identifier: Apache-2.0
#include "mpi/peer/peer_memory.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/cuda/cuda_check.h"
#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/peer/exchange.h"
#include "src/core/failure.h"
#include "src/core/transport.h"

namespace breakeven::peer {
namespace {

constexpr std::chrono::seconds patience{2};
static_assert(most_ranks == transport_traits[static_cast<std::size_t>(Transport::peer)].most_ranks);

// What hinders a group from using this transport, the same on every rank, or "".
std::string problem_of(MPI_Comm mpi, int ranks) {
  if (ranks > most_ranks)
    return fmt::format("the peer transport takes at most {} ranks, not {}", most_ranks, ranks);
  MPI_Comm host = MPI_COMM_NULL;
  MPI_CALL(MPI_Comm_split_type(mpi, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
  const bool on_one_host = size_of(host) == ranks;
  MPI_CALL(MPI_Comm_free(&host));
  return all_agree(mpi, on_one_host)
             ? ""
             : "the peer transport works within one host, and these ranks are on several";
}

// Maps what every other rank passes. What fails, the same on every rank, or "".
std::string map_the_others(MPI_Comm mpi, void* own, Mapped& mapped) {
  cudaIpcMemHandle_t mine{};
  cudaError_t worst = cudaIpcGetMemHandle(&mine, own);
  std::vector<cudaIpcMemHandle_t> handles(static_cast<std::size_t>(size_of(mpi)));
  MPI_CALL(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, handles.data(), sizeof mine, MPI_BYTE, mpi));
  const bool all_right = all_agree(mpi, worst == cudaSuccess);
  for (int rank = 0; all_right && rank < size_of(mpi); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (rank == rank_in(mpi)) continue;
    const cudaError_t opened =
        cudaIpcOpenMemHandle(mapped[place].out(), handles[place], cudaIpcMemLazyEnablePeerAccess);
    if (opened != cudaSuccess) worst = opened;
  }
  cudaGetLastError();  // who calls kernels later does not find it
  int failed = static_cast<int>(worst);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, mpi));
  return failed == 0
             ? ""
             : fmt::format("a GPU cannot map the memory of another ({}), which the peer transport needs",
                           cudaGetErrorString(static_cast<cudaError_t>(failed)));
}

// Gives up after two seconds.
void wait_for_the_others(MPI_Comm mpi) {
  int ended = 0;
  if (MPI_Finalized(&ended) != MPI_SUCCESS || ended != 0) return;
  MPI_Request all = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(mpi, &all) != MPI_SUCCESS) return;
  const auto began = std::chrono::steady_clock::now();
  int met = 0;
  while (MPI_Test(&all, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS && met == 0) {
    if (std::chrono::steady_clock::now() - began > patience) return;
    std::this_thread::yield();
  }
}

void require(const std::string& problem) {
  if (!problem.empty()) throw Failure(ExitCode::environment, problem + ". Pass --transports nccl");
}

}  // namespace

Memory::Memory(MPI_Comm mpi) : mpi_(mpi) {
  group_.rank = rank_in(mpi);
  group_.ranks = size_of(mpi);
  require(problem_of(mpi, group_.ranks));
  CUDA_CALL(cudaMalloc(area_.out(), sizeof(Area)), "memory of the peer transport", sizeof(Area));
  CUDA_CALL(cudaMemset(area_.get(), 0, sizeof(Flags)));
  empty_inboxes(static_cast<Area*>(area_.get()));
  CUDA_CALL(cudaMalloc(counts_.out(), sizeof(Counts)));
  CUDA_CALL(cudaMemset(counts_.get(), 0, sizeof(Counts)));
  CUDA_CALL(cudaHostAlloc(unanswered_.out(), sizeof(std::uint32_t), cudaHostAllocMapped));
  *static_cast<volatile std::uint32_t*>(unanswered_.get()) = 0;
  CUDA_CALL(cudaDeviceSynchronize());
  group_.counts = static_cast<Counts*>(counts_.get());
  void* on_device = nullptr;
  CUDA_CALL(cudaHostGetDevicePointer(&on_device, unanswered_.get(), 0));
  group_.unanswered = static_cast<std::uint32_t*>(on_device);
  require(map_the_others(mpi, area_.get(), mapped_));
  for (int rank = 0; rank < group_.ranks; ++rank) {
    const Handle<void*, cudaIpcCloseMemHandle>& other = mapped_[static_cast<std::size_t>(rank)];
    group_.area[rank] = static_cast<Area*>(rank == group_.rank ? area_.get() : other.get());
  }
}

Memory::~Memory() {
  cudaDeviceSynchronize();  // a failure has been reported where it happened
  for (auto& one : mapped_) one = {};
  wait_for_the_others(mpi_);
}

int Memory::unanswered() const {
  return static_cast<int>(*static_cast<volatile std::uint32_t*>(unanswered_.get())) - 1;
}

}  // namespace breakeven::peer

namespace breakeven {

std::string try_peer_memory(MPI_Comm group) {
  if (std::string problem = peer::problem_of(group, size_of(group)); !problem.empty()) return problem;
  Handle<void*, cudaFree> own;
  CUDA_CALL(cudaMalloc(own.out(), 1));
  std::string problem;
  {
    peer::Mapped mapped;
    problem = peer::map_the_others(group, own.get(), mapped);
  }
  peer::wait_for_the_others(group);
  return problem;
}

}  // namespace breakeven
