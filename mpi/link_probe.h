// SPDX-License-Identifier: Apache-2.0
// What one link between two ranks carries: the measurement behind the topology's matrices.
#pragma once

#include "mpi/communicator.h"

namespace breakeven {

// Memory and expected values of one rank's end; made once and used for every pair in turn.
class LinkProbe {
 public:
  // The payload of one transfer: large enough that a GPU's launch costs do not show (64 MiB; 4 MiB on a
  // host).
  LinkProbe(Device& device, Communicator& communicator, MPI_Comm group);

  // All are called by both ranks of the pair at once, and by no other.
  // A transfer of values that name the pair and their place; true at the receiver where each arrived as sent.
  bool data_right(int from, int to);
  // The receiver's median of several timed batches of transfers; NaN at the sender.
  double bytes_per_second(int from, int to);
  // Half of the mean round trip of one float, the median of several batches; the same at both ends within
  // noise.
  double latency_seconds(int from, int to);

 private:
  void transfer(int from, int to, std::size_t floats);
  void meet(int from, int to);  // both are here, and the stream of this one is empty

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
