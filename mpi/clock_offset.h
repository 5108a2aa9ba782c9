// SPDX-License-Identifier: Apache-2.0
// One clock for all ranks: the offset that each adds to its own clock to get rank 0's, from the shortest
// round trip (F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989, section 4).
#pragma once

#include <mpi.h>

#include <functional>

namespace breakeven {

struct ClockOffset {
  double seconds = 0;              // rank 0's clock minus this rank's
  double uncertainty_seconds = 0;  // half of the round trip: the true offset is at most this far away
};

// Collective over the group; `clock` reads this rank's clock, in seconds. Each rank in turn asks rank 0, some
// tens of microseconds each on a fast network. Clocks of different hosts drift, so the offset holds only for
// a while.
ClockOffset measure_clock_offset(MPI_Comm group, const std::function<double()>& clock);

}  // namespace breakeven
