// SPDX-License-Identifier: Apache-2.0
// Communication over MPI, directly from device memory or through pinned host memory.
#pragma once

#include "mpi/communicator.h"
#include "mpi/group.h"
#include "src/core/transport.h"

namespace breakeven {

enum class MpiPath {
  direct,  // device memory is host memory, which MPI reads and writes
  staged,  // device -> pinned host memory -> MPI -> pinned host memory -> device
};

// Every call first waits for the stream's work, because MPI knows no streams. A call of more than
// `piece_floats` floats is made in pieces, which limits the staging memory and respects MPI's int counts.
class MpiCommunicator final : public Communicator {
 public:
  // `own`: freed with this communicator.
  MpiCommunicator(MPI_Comm group, Device& device, MpiPath path, std::size_t piece_floats,
                  MPI_Comm own = MPI_COMM_NULL);

  std::string_view name() const override { return name_of(Transport::mpi); }
  // A host graph calls its body at each launch; a CUDA graph could not replay work of the CPU.
  bool capturable() const override { return path_ == MpiPath::direct; }

  using Communicator::all_reduce_sum;
  void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) override;
  void reduce_sum(float* data, std::size_t count, int root, Stream& stream) override;
  void broadcast(float* data, std::size_t count, int root, Stream& stream) override;
  void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) override;
  void all_gather(float* data, std::size_t share, Stream& stream) override;
  void send(const float* data, std::size_t count, int to, Stream& stream) override;
  void receive(float* data, std::size_t count, int from, Stream& stream) override;
  void check() override {}  // MPI reports at the call

 protected:
  std::unique_ptr<Communicator> split(int colour) override;

 private:
  // How MPI uses the memory: decides which copies are needed.
  struct Use {
    bool reads = false;
    bool writes = false;
  };

  // Calls body(host memory, values) for each piece of data[count].
  template <typename T, typename Body>
  void for_each_piece(T* data, std::size_t count, Use use, Stream& stream, Body body);

  // One piece of all shares, which are packed side by side unless MPI can use them where they lie.
  void reduce_scatter_piece(float* data, std::size_t share, std::size_t offset, int floats, Stream& stream);
  void all_gather_piece(float* data, std::size_t share, std::size_t offset, int floats, Stream& stream);

  // Whether MPI can use all shares in one call where they lie.
  bool lies_ready(std::size_t share) const;
  std::size_t share_piece() const;

  // Grows `area` to at least `floats`, after waiting for the stream's work on it.
  float* staging(Buffer& area, std::size_t floats, Stream& stream);
  void copy(float* to, const float* from, std::size_t floats, Stream& stream);

  OwnGroup own_group_;
  MPI_Comm group_;
  Device& device_;
  MpiPath path_;
  std::size_t piece_floats_;
  Buffer outgoing_;
  Buffer incoming_;
  std::unique_ptr<Event> staging_free_;  // calls on different streams share the staging memory
};

}  // namespace breakeven
