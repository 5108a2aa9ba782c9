// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/bucket_sums.h"

#include "src/compression/make_sum.h"
#include "src/core/strategy/gradient_costs.h"

namespace breakeven {

std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat) {
  std::vector<BucketSum> sums;
  for (const Bucket& bucket : buckets_of(layout, options)) {
    const GradientRange range = range_of_layers(layout, bucket.first_layer, bucket.layers);
    sums.push_back({bucket, make_sum(options.compression, device, range, seat)});
  }
  return sums;
}

}  // namespace breakeven
