// SPDX-License-Identifier: Apache-2.0
// At which learning rate a case's training does not diverge, whatever computes it.
#pragma once

#include "src/core/case.h"
#include "src/measure/run_context.h"

namespace breakeven::verify {

// The largest of the context's learning rate, a tenth of it, a hundredth, ... (10 of them) at which the loss
// of one device in fp32 stays within ten times the first one's, with a tenfold reserve: that device trains at
// ten times the rate, for as many steps as all ranks make together. Gradient descent diverges beyond 2 / (the
// loss's largest curvature), which is large in a layer with few inputs and many outputs, and earlier from
// gradients that are late. Collective over the case's ranks.
float stable_learning_rate(const Case& what, measure::RunContext& context);

}  // namespace breakeven::verify
