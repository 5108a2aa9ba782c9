// SPDX-License-Identifier: Apache-2.0
// Measures bandwidth and latency of the link between two ranks, for the topology's matrices.
#pragma once

#include "mpi/communicator.h"

namespace breakeven {

// One rank's end of a link: buffers and expected values, used for every pair in turn.
class LinkProbe {
 public:
  // A transfer has 64 MiB, so launch overhead does not matter (4 MiB on a host).
  LinkProbe(Device& device, Communicator& communicator, MPI_Comm group);

  // Both ranks of the pair call the following together, and no other rank. Transfers values that identify the
  // pair and their place. True at the receiver if all arrived as sent.
  bool data_right(int from, int to);
  // The receiver's median of several timed batches of transfers; NaN at the sender.
  double bytes_per_second(int from, int to);
  // Half of the mean round trip of one float: the median of several batches, the same at both ends up to
  // noise.
  double latency_seconds(int from, int to);

 private:
  void transfer(int from, int to, std::size_t floats);
  void meet(int from, int to);  // a barrier of both, with an empty stream

  Device& device_;
  Communicator& communicator_;
  MPI_Comm group_;
  std::size_t floats_;
  int transfers_;  // in one timed batch
  std::unique_ptr<Stream> stream_;
  Buffer payload_;
  Buffer host_;
};

}  // namespace breakeven
