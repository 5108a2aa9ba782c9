// SPDX-License-Identifier: Apache-2.0
// Removes candidates that are the same configuration under two names, such as buckets larger than the model,
// or a mesh of one group.
#pragma once

#include <vector>

#include "src/core/case.h"

namespace breakeven {

// The first of those whose ranks compute the same parts and exchange the same messages.
std::vector<Case> distinct_ways(const std::vector<Case>& candidates);

}  // namespace breakeven
