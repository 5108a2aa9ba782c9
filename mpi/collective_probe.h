// SPDX-License-Identifier: Apache-2.0
// How long a group of ranks takes for calls of each kind and size: what nccl-tests measures, for any
// transport and in the way in which training calls it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "mpi/communicator.h"
#include "src/core/message.h"

namespace breakeven {

// Of all ranks' seconds; collective over the group.
double longest_of(MPI_Comm group, double mine);

class CollectiveProbe {
 public:
  // `group` has the communicator's ranks in their order, for what goes beside it. In a graph where that is
  // asked for and the communicator can be captured.
  CollectiveProbe(Device& device, Communicator& communicator, MPI_Comm group, bool in_graph);

  bool in_graph() const { return in_graph_; }

  // Calls of the kind can be made at all: not one-sided ones over every MPI. Collective over the group.
  bool is_possible(Collective kind) const;

  // The following are called by all ranks of the group at once, with the same arguments. `bytes` count as
  // Traffic counts them; of a reduce-scatter and an all-gather they are as near as whole floats in every
  // share come.
  //
  // One of several calls one behind the other: the median of some batches, on the rank where it is longest.
  // Roots take turns, so that a broadcast or a reduce has ended where the next one begins.
  // A send: half of a round trip between ranks 0 and 1. One-sided: the mean of a pull and a push of all ranks
  // at once, in host memory whatever the transport is.
  double seconds(Collective kind, std::uint64_t bytes);
  // The same for all sizes up to `largest_bytes`; NaN for larger ones, and for those that come after one
  // which takes longer than slow_call_seconds.
  std::array<double, message_sizes> seconds_of_all_sizes(Collective kind, std::uint64_t largest_bytes);

  // How many values are not what they should be, on all ranks together, after one call whose result is known
  // exactly.
  std::uint64_t wrong_values(Collective kind, std::uint64_t bytes);

  static constexpr double slow_call_seconds = 4e-3;

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(communicator_.size()); }
  // What a call is given, and in how many shares.
  struct Payload {
    std::size_t share;
    std::size_t shares;
    std::size_t floats() const { return share * shares; }
  };
  Payload payload_of(Collective kind, std::uint64_t bytes) const;
  void make_room(std::size_t floats);
  void call(Collective kind, const Payload& payload, int turn);  // on the stream
  double seconds_on_stream(Collective kind, const Payload& payload);
  double seconds_one_sided(std::size_t floats);
  // `batch(calls)` prepares a batch of so many and returns what runs it, in seconds a call.
  using Batch = std::function<double()>;
  double median_of_batches(const std::function<Batch(int calls)>& batch);
  std::uint64_t wrong_on_stream(Collective kind, const Payload& payload);
  std::uint64_t wrong_one_sided(std::size_t floats);

  Device& device_;
  Communicator& communicator_;
  MPI_Comm group_;
  bool in_graph_;
  std::unique_ptr<Stream> stream_;
  Buffer data_;
};

}  // namespace breakeven
