// SPDX-License-Identifier: Apache-2.0
// Whether to buy the machine with more GPUs, for a job that is run so often a month.
#pragma once

#include "src/report/judgement.h"

namespace breakeven {

// `costs` have a purchase and the samples of the job.
Judgement judge_purchase(const Configuration& one, const Configuration& more, const Advisor& advisor,
                         const Costs& costs);

}  // namespace breakeven
