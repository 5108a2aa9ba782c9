// SPDX-License-Identifier: Apache-2.0
// One case, measured once: fresh replica, warm-up, steps, and what they took.
#pragma once

#include "src/core/case.h"
#include "src/core/records/run_record.h"
#include "src/measure/run_context.h"

namespace breakeven {

// Called by the ranks [0, what.gpus), all of them; the others have nothing to do with it. A communicator that
// is needed for the first time is made here and counts into setup_seconds. With --until, repeats train from
// seeds of their own: how many steps a quality takes depends on the seed, how long a step takes does not.
RunRecord run_case(const Case& what, RunContext& bench, std::uint32_t repeat = 0);

// With warm-up, steps and target of its own, in place of the launch's.
RunRecord run_case(const Case& what, RunContext& bench, const RunOptions& options, std::uint32_t repeat);

}  // namespace breakeven
