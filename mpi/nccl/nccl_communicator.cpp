// SPDX-License-Identifier: Apache-2.0
// The exchange over NCCL: enqueued on the caller's stream, GPU to GPU.
//
// The communicator is a blocking one (of the host thread; the GPU's work stays asynchronous). A non-blocking
// one starts a thread for every call and launches from there, which costs tens of microseconds a call and
// puts a second thread into a graph's capture. A call that never returns is the watchdog's business.
#include <cuda_runtime.h>

#include <cstdlib>

#include "kernels/cuda/cuda_stream.h"
#include "mpi/communicator.h"
#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/nccl/nccl_call.h"
#include "mpi/transports.h"
#include "src/core/failure.h"
#include "src/core/handle.h"
#include "src/core/transport.h"

namespace breakeven {
namespace {

// Collective over the communicator, so it runs on the good path only. Finalising waits for what other ranks
// still send through this one; a communicator that has failed can only be aborted.
ncclResult_t close_communicator(ncclComm_t communicator) {
  ncclResult_t state = ncclSuccess;
  const ncclResult_t asked = ncclCommGetAsyncError(communicator, &state);
  if (asked != ncclSuccess || state != ncclSuccess) return ncclCommAbort(communicator);
  const ncclResult_t finalized = ncclCommFinalize(communicator);
  const ncclResult_t destroyed = ncclCommDestroy(communicator);
  return finalized != ncclSuccess ? finalized : destroyed;
}

using NcclHandle = Handle<ncclComm_t, close_communicator>;

ncclDataType_t nccl_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16:
      return ncclBfloat16;
    case Dtype::fp16:
      return ncclHalf;
    case Dtype::fp32:
      break;
  }
  return ncclFloat;
}

class NcclCommunicator final : public Communicator {
 public:
  NcclCommunicator(NcclHandle communicator, MPI_Comm group, int rank, int size)
      : Communicator(group, rank, size), communicator_(std::move(communicator)) {}

  std::string_view name() const override { return name_of(Transport::nccl); }
  bool capturable() const override { return true; }

  using Communicator::all_reduce_sum;
  void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) override {
    const auto bytes_each = static_cast<std::size_t>(bytes_of(dtype));
    count_call(count, bytes_each);
    NCCL_CALL(
        ncclAllReduce(data, data, count, nccl_type(dtype), ncclSum, communicator_.get(), cuda_stream(stream)),
        std::to_string(count * bytes_each) + " bytes");
  }

  void reduce_sum(float* data, std::size_t count, int root, Stream& stream) override {
    count_call(count);
    NCCL_CALL(
        ncclReduce(data, data, count, ncclFloat, ncclSum, root, communicator_.get(), cuda_stream(stream)),
        bytes_text(count));
  }

  void broadcast(float* data, std::size_t count, int root, Stream& stream) override {
    count_call(count);
    NCCL_CALL(ncclBroadcast(data, data, count, ncclFloat, root, communicator_.get(), cuda_stream(stream)),
              bytes_text(count));
  }

  void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) override {
    count_call(share * static_cast<std::size_t>(size()));
    NCCL_CALL(ncclReduceScatter(data, my_share(data, share), share, ncclFloat, ncclSum, communicator_.get(),
                                cuda_stream(stream)),
              bytes_text(share));
  }

  void all_gather(float* data, std::size_t share, Stream& stream) override {
    count_call(share * static_cast<std::size_t>(size()));
    NCCL_CALL(ncclAllGather(my_share(data, share), data, share, ncclFloat, communicator_.get(),
                            cuda_stream(stream)),
              bytes_text(share));
  }

  void send(const float* data, std::size_t count, int to, Stream& stream) override {
    count_call(count);
    NCCL_CALL(ncclSend(data, count, ncclFloat, to, communicator_.get(), cuda_stream(stream)),
              bytes_text(count));
  }

  void receive(float* data, std::size_t count, int from, Stream& stream) override {
    count_call(count);
    NCCL_CALL(ncclRecv(data, count, ncclFloat, from, communicator_.get(), cuda_stream(stream)),
              bytes_text(count));
  }

  void check() override {
    ncclResult_t state = ncclSuccess;
    NCCL_CALL(ncclCommGetAsyncError(communicator_.get(), &state));
    if (state != ncclSuccess)
      fail_nccl(state, "an earlier NCCL call", __FILE__, __LINE__, "found by check()");
    check_parts();
  }

 protected:
  std::unique_ptr<Communicator> split(int colour) override {
    ncclComm_t part = nullptr;
    int part_rank = 0;
    int part_size = 0;
    NCCL_CALL(ncclCommSplit(communicator_.get(), colour, rank(), &part, nullptr));
    NcclHandle handle(part);
    NCCL_CALL(ncclCommUserRank(part, &part_rank));
    NCCL_CALL(ncclCommCount(part, &part_size));
    return std::make_unique<NcclCommunicator>(std::move(handle), MPI_COMM_NULL, part_rank, part_size);
  }

 private:
  float* my_share(float* data, std::size_t share) const {
    return data + static_cast<std::size_t>(rank()) * share;
  }

  NcclHandle communicator_;
};

ncclComm_t create(int size, ncclUniqueId id, int rank) {
  ncclComm_t communicator = nullptr;
  NCCL_CALL(ncclCommInitRank(&communicator, size, id, rank),
            "rank " + std::to_string(rank) + " of " + std::to_string(size));
  return communicator;
}

}  // namespace

std::unique_ptr<Communicator> make_nccl_communicator(MPI_Comm group, Device& /*device*/) {
  setenv("NCCL_NVLS_ENABLE", "0", 0);  // as in Session, for a caller without one: no NVLink multicast unasked
  const int rank = rank_in(group);
  const int size = size_of(group);
  ncclUniqueId id = {};
  if (rank == 0) NCCL_CALL(ncclGetUniqueId(&id));
  MPI_CALL(MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, group));
  NcclHandle communicator(create(size, id, rank));
  return std::make_unique<NcclCommunicator>(std::move(communicator), group, rank, size);
}

std::string nccl_version() {
  int code = 0;
  NCCL_CALL(ncclGetVersion(&code));
  return std::to_string(code / 10000) + "." + std::to_string(code / 100 % 100) + "." +
         std::to_string(code % 100);
}

}  // namespace breakeven
