// SPDX-License-Identifier: Apache-2.0
// One case, measured once: fresh replica, warm-up, steps, and what they took.
#pragma once

#include "src/measure/workbench.h"
#include "src/plan/case.h"
#include "src/record/run_record.h"

namespace breakeven {

// Called by the ranks [0, what.gpus), all of them; the others have nothing to do with it. A communicator that
// is needed for the first time is made here and counts into setup_seconds. With --until, repeats train from
// seeds of their own: how many steps a quality takes depends on the seed, how long a step takes does not.
RunRecord run_case(const Case& what, Workbench& bench, std::uint32_t repeat = 0);

// With warm-up, steps and target of its own, in place of the launch's.
RunRecord run_case(const Case& what, Workbench& bench, const RunOptions& options, std::uint32_t repeat);

}  // namespace breakeven
