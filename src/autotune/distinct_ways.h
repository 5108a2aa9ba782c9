// SPDX-License-Identifier: Apache-2.0
// Candidates that are the same way to train under two names: buckets larger than the model, a mesh of one
// group.
#pragma once

#include <vector>

#include "src/core/case.h"

namespace breakeven {

// The first of those whose ranks compute the same parts and exchange the same messages.
std::vector<Case> distinct_ways(const std::vector<Case>& candidates);

}  // namespace breakeven
