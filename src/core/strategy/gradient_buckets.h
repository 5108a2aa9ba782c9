// SPDX-License-Identifier: Apache-2.0
// The gradient of data parallelism in buckets, and what its sum costs.
#pragma once

#include <vector>

#include "src/core/compression/compression.h"
#include "src/core/model/buckets.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// The buckets in which the options have a gradient sent; one where they ask for none.
std::vector<Bucket> buckets_of(const ParameterLayout& layout, const StrategyOptions& options);

// What the sums of all of them cost together, in the form that the options name.
SumCost bucket_sums_cost(const ParameterLayout& layout, const StrategyOptions& options, int ranks);

}  // namespace breakeven
