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

namespace breakeven::peer {
namespace {

constexpr std::chrono::seconds patience{2};

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

}  // namespace

Memory::Memory(MPI_Comm mpi) : mpi_(mpi) {
  group_.rank = rank_in(mpi);
  group_.ranks = size_of(mpi);
  const std::string problem = problem_of(mpi, group_.ranks);
  if (!problem.empty()) throw Failure(ExitCode::environment, problem + ". Pass --transports nccl");

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
  map_the_others();
}

void Memory::map_the_others() {
  cudaIpcMemHandle_t mine{};
  CUDA_CALL(cudaIpcGetMemHandle(&mine, area_.get()));
  std::vector<cudaIpcMemHandle_t> handles(static_cast<std::size_t>(group_.ranks));
  MPI_CALL(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, handles.data(), sizeof mine, MPI_BYTE, mpi_));
  cudaError_t worst = cudaSuccess;
  for (int rank = 0; rank < group_.ranks; ++rank) {
    if (rank == group_.rank) {
      group_.area[rank] = static_cast<Area*>(area_.get());
      continue;
    }
    const auto place = static_cast<std::size_t>(rank);
    const cudaError_t opened =
        cudaIpcOpenMemHandle(mapped_[place].out(), handles[place], cudaIpcMemLazyEnablePeerAccess);
    if (opened != cudaSuccess) worst = opened;
    group_.area[rank] = static_cast<Area*>(mapped_[place].get());
  }
  int failed = static_cast<int>(worst);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, mpi_));
  if (failed != 0)
    throw Failure(
        ExitCode::environment,
        fmt::format("a GPU cannot map the memory of another ({}), which the peer transport needs. Pass "
                    "--transports nccl",
                    cudaGetErrorString(static_cast<cudaError_t>(failed))));
}

Memory::~Memory() {
  cudaDeviceSynchronize();  // a failure has been reported where it happened
  for (auto& one : mapped_) one = {};
  wait_for_the_others();
}

void Memory::wait_for_the_others() const {
  int ended = 0;
  if (MPI_Finalized(&ended) != MPI_SUCCESS || ended != 0) return;
  MPI_Request all = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(mpi_, &all) != MPI_SUCCESS) return;
  const auto began = std::chrono::steady_clock::now();
  int met = 0;
  while (MPI_Test(&all, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS && met == 0) {
    if (std::chrono::steady_clock::now() - began > patience) return;
    std::this_thread::yield();
  }
}

int Memory::unanswered() const {
  return static_cast<int>(*static_cast<volatile std::uint32_t*>(unanswered_.get())) - 1;
}

}  // namespace breakeven::peer
