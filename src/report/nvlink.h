// SPDX-License-Identifier: Apache-2.0
// Which way a launch's exchange went.
#pragma once

#include "src/record/results.h"

namespace breakeven {

// Every pair of the first `gpus` has NVLink, and nothing told NCCL not to use it.
bool goes_by_nvlink(const Launch& launch, int gpus);

}  // namespace breakeven
