// SPDX-License-Identifier: Apache-2.0
// One rank's part in the sums of a gradient, bucket by bucket, compressed as the options say.
#pragma once

#include <memory>
#include <vector>

#include "src/compression/gradient_sum.h"
#include "src/core/model/buckets.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

struct BucketSum {
  Bucket bucket;
  std::unique_ptr<GradientSum> sum;  // of the gradient from bucket.begin on
};

// A single bucket if the options ask for none.
std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat);

}  // namespace breakeven
