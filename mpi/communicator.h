// SPDX-License-Identifier: Apache-2.0
// Exchanges device memory among a group of ranks: one interface for all transports.
//
// Every call is collective over the group (send and receive: over the pair), in the same order on all ranks.
// It is asynchronous on the stream if the transport can be (`capturable`). `count` is in floats unless a
// dtype is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <mpi.h>

#include "kernels/device.h"
#include "src/core/message.h"

namespace breakeven {

class StepExchange;  // kernels/network_step.h

// Adam's update of flat buffers by gradients that are summed over the ranks; the rest as for Device::adam.
struct SummedUpdate {
  std::size_t count;
  float* gradient;
  AdamSettings settings;
  const StepState* state;
  AdamArrays arrays;
  void* working;
  Dtype dtype;         // of the working copy
  bool keep_gradient;  // store the sums as well
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual std::string_view name() const = 0;  // as --transports spells it
  virtual bool capturable() const = 0;        // its calls may be captured into a Graph
  int rank() const { return rank_; }
  int size() const { return size_; }
  Traffic traffic() const;  // parts included
  // The ranks, for messages between hosts. MPI_COMM_NULL of a part that NCCL has split off.
  MPI_Comm group() const { return group_; }

  // In place. Sums of 16-bit values are rounded at every addition: over MPI in rank order, over NCCL in its
  // own order.
  virtual void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) = 0;
  void all_reduce_sum(float* data, std::size_t count, Stream& stream) {
    all_reduce_sum(data, count, Dtype::fp32, stream);
  }
  // An all-reduce and Adam's update by its sums, in fewer passes over memory than one after the other.
  // Returns false, and enqueues nothing, if the transport cannot. A rank's moments may be up to date for a
  // share of the parameters only, always the same: whoever updates so once does it in every step.
  virtual bool all_reduce_and_update(const SummedUpdate&, Stream&) { return false; }
  // The same with sharded optimizer state: a reduce-scatter, the update of this rank's share, and an
  // all-gather of the working copy. `gradient` and `working` hold size() shares of `count` values, `arrays`
  // this rank's share. In fp32 `working` holds the parameters themselves.
  virtual bool update_shares(const SummedUpdate&, Stream&) { return false; }
  // An all-reduce of a layer's partial products, and AddBias, BiasReluDropout or ReluDropoutBackward of the
  // sums, rounded to the dtype of `finished`, which may be `sums` itself; the sums are not kept. Both have
  // the same shape and leading dimension.
  virtual bool all_reduce_and_finish(Matrix /*sums*/, const Epilogue&, Matrix /*finished*/, Stream&) {
    return false;
  }
  // For NetworkStep: sums the gradients within a small network's step, an all-reduce of all of them. Null if
  // the transport cannot, and in a group of one.
  virtual StepExchange* step_exchange() { return nullptr; }
  virtual void reduce_sum(float* data, std::size_t count, int root, Stream& stream) = 0;  // in place at root
  virtual void broadcast(float* data, std::size_t count, int root, Stream& stream) = 0;
  // data holds size() shares of `share` floats. Afterwards share rank() is the sum over the ranks.
  virtual void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) = 0;
  // The converse: share rank() of every rank is copied to all ranks. A transport may turn -0 into +0.
  virtual void all_gather(float* data, std::size_t share, Stream& stream) = 0;
  // The same of words that need not be floats, bit by bit.
  virtual void all_gather_words(void* data, std::size_t share, Stream& stream) {
    all_gather(static_cast<float*>(data), share, stream);
  }
  // Splits off a communicator of the ranks with the same colour, in the same order, over the same transport.
  // Made collectively over the group at the first call with this name; lives as long as this one.
  Communicator& part(const std::string& name, int colour);

  // Whether all ranks say so. Waits for them, on the host: not within a capture.
  bool all_agree(bool mine) const;

  virtual void send(const float* data, std::size_t count, int to, Stream& stream) = 0;
  virtual void receive(float* data, std::size_t count, int from, Stream& stream) = 0;

  // Counts a call; for messages other than the calls above, too.
  void count_call(std::size_t count, std::size_t bytes_each = sizeof(float)) {
    traffic_.calls += 1;
    traffic_.bytes += count * bytes_each;
  }

  // Throws Failure if the transport has met an error since the last check. NCCL reports errors only here.
  virtual void check() = 0;

 protected:
  Communicator(MPI_Comm group, int rank, int size) : group_(group), rank_(rank), size_(size) {}
  // Throws Failure(environment) if the transport cannot be split.
  virtual std::unique_ptr<Communicator> split(int colour);
  void check_parts();

 private:
  MPI_Comm group_;
  int rank_;
  int size_;
  Traffic traffic_;
  std::map<std::string, std::unique_ptr<Communicator>> parts_;
};

// "4096 bytes", for what a failed call says.
std::string bytes_text(std::size_t floats);

// MPI reads host memory directly; a GPU's memory is staged through pinned host memory. `group` is borrowed
// and must outlive the communicator; so must the device.
std::unique_ptr<Communicator> make_mpi_communicator(MPI_Comm group, Device& device);

// Initialisation sends NCCL's unique id by MPI_Bcast over `group` and waits for all ranks of the group. NCCL
// refuses two ranks on one GPU. Destroy graphs that captured this communicator's calls before it: NCCL waits
// for that. A build without NCCL throws Failure(environment).
std::unique_ptr<Communicator> make_nccl_communicator(MPI_Comm group, Device& device);

// Why these ranks cannot use peer memory, the same on every rank, or "". Collective.
std::string try_peer_memory(MPI_Comm group);

// Ranks of one host. A build without CUDA throws Failure(environment).
std::unique_ptr<Communicator> make_peer_communicator(MPI_Comm group, Device& device);

}  // namespace breakeven
