// SPDX-License-Identifier: Apache-2.0
#include "kernels/profiler_range.h"

#include <nvtx3/nvToolsExt.h>

namespace breakeven {

void push_profiler_range(const char* name) { nvtxRangePushA(name); }

void pop_profiler_range() { nvtxRangePop(); }

}  // namespace breakeven
