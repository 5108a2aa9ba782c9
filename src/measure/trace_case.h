// SPDX-License-Identifier: Apache-2.0
// One case trained twice: as `run` measures it, then with a profiler that records every kernel.
#pragma once

#include <vector>

#include "kernels/kernel_recorder.h"
#include "src/core/records/traced_rank.h"
#include "src/measure/run_context.h"

namespace breakeven::measure {

// Called by the ranks [0, what.gpus). The recorder starts after the untraced run, and before the traced run
// captures its graphs. The traced run makes the options' steps, each recorded by itself.
TracedRank trace_case(const Case& what, RunContext& context, KernelRecorder& recorder);

// All ranks' traces on rank 0, nothing on others. Collective over the group.
std::vector<TracedRank> gather_traces(const TracedRank& mine, MPI_Comm group);

}  // namespace breakeven::measure
