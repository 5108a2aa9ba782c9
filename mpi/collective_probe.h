// SPDX-License-Identifier: Apache-2.0
// How long a group of ranks takes for communication calls of each kind and size, over any transport, called
// as training calls them. The counterpart of nccl-tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "mpi/communicator.h"
#include "src/core/message.h"

namespace breakeven {

// The largest of all ranks' values. Collective over the group.
double longest_of(MPI_Comm group, double mine);

class CollectiveProbe {
 public:
  // `group` has the communicator's ranks in their order, for barriers and reductions of the results. Uses a
  // graph if `in_graph` and the communicator can be captured.
  CollectiveProbe(Device& device, Communicator& communicator, MPI_Comm group, bool in_graph);

  bool in_graph() const { return in_graph_; }

  // Whether calls of this kind can be made: not every MPI has one-sided ones. Collective over the group.
  bool is_possible(Collective kind) const;

  // All ranks of the group call the following together, with the same arguments. `bytes` are counted as in
  // Traffic; for a reduce-scatter and an all-gather they are rounded to whole floats per share.
  //
  // Seconds per call of back-to-back calls: the median of several batches; the slowest rank counts. Roots
  // take turns, so a broadcast or reduce has ended when the next one begins. A send is half of a round trip
  // between ranks 0 and 1. One-sided is the mean of a pull and a push by all ranks at once, in host memory
  // over any transport.
  double seconds(Collective kind, std::uint64_t bytes);
  // The same for all sizes up to `largest_bytes`. NaN for larger sizes, and for sizes after one that takes
  // longer than slow_call_seconds and than two of the smallest, or longer than longest_call_seconds.
  std::array<double, message_sizes> seconds_of_all_sizes(Collective kind, std::uint64_t largest_bytes);

  // The number of wrong values on all ranks together, after one call whose result is known exactly.
  std::uint64_t wrong_values(Collective kind, std::uint64_t bytes);

  static constexpr double slow_call_seconds = 4e-3;
  static constexpr double longest_call_seconds = 0.1;

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(communicator_.size()); }
  // The floats of a call, in shares.
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
  // `batch(calls)` prepares a batch of that many calls and returns what runs it and gives the seconds per
  // call.
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
