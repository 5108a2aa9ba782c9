// SPDX-License-Identifier: Apache-2.0
// How a group of ranks exchanges device memory. One interface; NCCL and MPI behind it.
//
// Every call is collective over the group (send and receive: over the pair), in the same order on all of its
// ranks, and asynchronous on the stream where the transport can be (`capturable`). `count` is in floats
// where no dtype is named.
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

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual std::string_view name() const = 0;  // "nccl" or "mpi"
  virtual bool capturable() const = 0;        // may be called in the body of a Graph
  int rank() const { return rank_; }
  int size() const { return size_; }
  Traffic traffic() const;  // its parts' too
  // The ranks, for what goes from host to host beside the transport.
  MPI_Comm group() const { return group_; }  // MPI_COMM_NULL of a part that NCCL alone has split off

  // In place. Of 16-bit values every addition is rounded: over MPI in rank order, over NCCL in an order of
  // its own.
  virtual void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) = 0;
  void all_reduce_sum(float* data, std::size_t count, Stream& stream) {
    all_reduce_sum(data, count, Dtype::fp32, stream);
  }
  virtual void reduce_sum(float* data, std::size_t count, int root, Stream& stream) = 0;  // in place at root
  virtual void broadcast(float* data, std::size_t count, int root, Stream& stream) = 0;
  // data holds size() shares of `share` floats; afterwards share number rank() is the sum over the ranks.
  virtual void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) = 0;
  // The converse: share number rank() of every rank reaches all of them.
  virtual void all_gather(float* data, std::size_t share, Stream& stream) = 0;
  // The ranks that give the same colour, in their order here, over the same transport. Made at the first call
  // with this name, collectively over the group, and kept as long as this one is.
  Communicator& part(const std::string& name, int colour);

  virtual void send(const float* data, std::size_t count, int to, Stream& stream) = 0;
  virtual void receive(float* data, std::size_t count, int from, Stream& stream) = 0;

  // Also for what is exchanged beside the calls above, between hosts.
  void count_call(std::size_t count, std::size_t bytes_each = sizeof(float)) {
    traffic_.calls += 1;
    traffic_.bytes += count * bytes_each;
  }

  // Throws Failure where the transport has met an error since the last call (NCCL reports them only so).
  virtual void check() = 0;

 protected:
  Communicator(MPI_Comm group, int rank, int size) : group_(group), rank_(rank), size_(size) {}
  // A transport that cannot be split throws Failure(environment).
  virtual std::unique_ptr<Communicator> split(int colour);
  void check_parts();

 private:
  MPI_Comm group_;
  int rank_;
  int size_;
  Traffic traffic_;
  std::map<std::string, std::unique_ptr<Communicator>> parts_;
};

// Host memory goes straight to MPI; a GPU's is staged through pinned memory, the "host bridge" made explicit.
// `group` is borrowed and must outlive the communicator; so must the device.
std::unique_ptr<Communicator> make_mpi_communicator(MPI_Comm group, Device& device);

// The unique id travels by MPI_Bcast over `group`; initialisation throws Failure(timeout) after
// `timeout_seconds`. NCCL refuses two ranks on one GPU. A graph that has captured this communicator's calls
// must be destroyed before it: NCCL waits for that. A build without NCCL throws Failure(environment).
std::unique_ptr<Communicator> make_nccl_communicator(MPI_Comm group, Device& device, double timeout_seconds);

}  // namespace breakeven
