// SPDX-License-Identifier: Apache-2.0
// The clock that all ranks share: rank 0's, since its RunContext was created.
#pragma once

#include "mpi/clock_offset.h"
#include "src/measure/run_context.h"

namespace breakeven::measure {

// Converts this host's clock (host_seconds()) to the launch's clock. Collective over the ranks [0, ranks).
ClockOffset offset_to_launch(RunContext& context, int ranks);

}  // namespace breakeven::measure
