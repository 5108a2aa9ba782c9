// SPDX-License-Identifier: Apache-2.0
// One rank's sums of a gradient in buckets, in the form that the options name.
#pragma once

#include <memory>
#include <vector>

#include "src/compression/gradient_sum.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

struct BucketSum {
  Bucket bucket;
  std::unique_ptr<GradientSum> sum;  // of what begins at bucket.begin
};

// One bucket where the options ask for none.
std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat);

}  // namespace breakeven
