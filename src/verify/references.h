// SPDX-License-Identifier: Apache-2.0
// The reference results that a case is compared with.
#pragma once

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {

// The last three differ only by rounding, and none fuses its update into a product. Their distance shows how
// much rounding changes this model with this optimizer.
struct References {
  Trajectory expected;    // what the case must compute: the result of one device, or the serial definition if
                          // the strategy is lossy
  Trajectory definition;  // the serial definition of the case
  Trajectory other_order;  // the same with another order of sums (every rank's gradient in two parts)
  Trajectory fp32;         // the same in fp32
};

// The same work on one device, without communication.
Case single_device_case(const Case& what);

// With the device's first kernel of fp32, unless the case's can compute in it.
Case in_fp32(Case what, const Device& device);

// The case that a serial definition takes: independent copies each do the work of one GPU.
Case of_one_copy(Case what, const StrategyChoice& strategy);

// On rank 0 alone. `served` are the updates that the case's ranks made (Trajectory::served); if it is not
// empty, the references repeat them. Throws Failure if a lossy strategy has no serial definition.
References train_references(const Case& what, measure::RunContext& context, const ServedOrder& served);

}  // namespace breakeven::verify
