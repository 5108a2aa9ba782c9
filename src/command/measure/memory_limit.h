// SPDX-License-Identifier: Apache-2.0
// --memory-limit: refuses a case that needs more memory before anything is allocated. The message shows the
// sum.
#pragma once

#include <string>
#include <vector>

#include "src/measure/run_context.h"

namespace breakeven {

// The rank that needs most. Every rank adds up all of them, so that all come to the same answer.
MemoryNeed largest_memory_need(const Case& what, const RunContext& bench);

// The sum for the first case that needs more than the limit on a rank; "" where all fit, or there is no
// limit.
std::string over_memory_limit(const std::vector<Case>& cases, const RunContext& bench);

}  // namespace breakeven
