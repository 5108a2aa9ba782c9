// SPDX-License-Identifier: Apache-2.0
// One clock for all ranks: what each has to add to its own to read rank 0's. By the round trip that takes
// least (F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989, section 4).
#pragma once

#include <mpi.h>

#include <functional>

namespace breakeven {

struct ClockOffset {
  double seconds = 0;              // rank 0's clock less this rank's
  double uncertainty_seconds = 0;  // the true offset is at most so far away: half of the round trip
};

// Collective over the group; `clock` reads this rank's own, in seconds. Rank after rank asks rank 0, some
// tens of microseconds each where messages are fast. Clocks of other hosts drift: it holds for now.
ClockOffset measure_clock_offset(MPI_Comm group, const std::function<double()>& clock);

}  // namespace breakeven
