// SPDX-License-Identifier: Apache-2.0
// One run of one case: a fresh network, warm-up, settling, the measured steps and their times.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/session.h"
#include "src/core/case.h"
#include "src/core/records/run_record.h"
#include "src/measure/run_context.h"

namespace breakeven::measure {

// Called by all ranks in [0, what.gpus) and by no other. Connects a communicator that is needed for the first
// time; this counts as setup_seconds. With --until, each repeat has its own seed: the number of steps to a
// target depends on the seed, the time of a step does not.
RunRecord run_case(const Case& what, RunContext& context, std::uint32_t repeat = 0);

// With other warm-up, steps and target than the launch's.
RunRecord run_case(const Case& what, RunContext& context, const RunOptions& options, std::uint32_t repeat);

// What a recorder of kernels does right before and right after the measured steps. The device is idle then.
struct AroundSteps {
  std::function<void()> before = [] {};
  std::function<void()> after = [] {};
};
RunRecord run_case(const Case& what, RunContext& context, const RunOptions& options, std::uint32_t repeat,
                   const AroundSteps& around);

// [step] seconds of the slowest rank, or of the mean rank if ranks do not wait for one another. Rank 0 gets
// the steps made, other ranks nothing. A step that was not measured is infinite. `mine` is null on ranks that
// took no part in the run. Collective over the session's world.
std::vector<double> gather_step_seconds(const Session& session, const Case& what, std::uint32_t steps,
                                        const RunRecord* mine);

}  // namespace breakeven::measure
