// SPDX-License-Identifier: Apache-2.0
// The reference results that a case is compared with.
#pragma once

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/verify/trajectory.h"

namespace breakeven {

// The last three differ only by rounding, and none fuses its update into a product. Their distance shows what
// rounding does to this model and optimizer.
struct References {
  Trajectory expected;     // what the case must compute: the single device's work, or, where its strategy is
                           // lossy, the serial definition
  Trajectory definition;   // the serial definition of the case
  Trajectory other_order;  // the same with every rank's gradient from two parts: another order of sums; of
                           // updates replayed, with all parameters read as early as can be
  Trajectory fp32;         // the same in fp32
};

// The same work on one device, operation by operation, without any exchange.
Case single_device_case(const Case& what);

// By rank 0 alone. `served` is what the case's ranks did (Trajectory::served): where their timing decides
// what is computed, the references are that order's. Throws Failure where a lossy strategy has no serial
// definition.
References train_references(const Case& what, RunContext& bench, const ServedOrder& served);

}  // namespace breakeven
