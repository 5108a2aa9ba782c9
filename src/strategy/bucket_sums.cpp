// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/bucket_sums.h"

namespace breakeven {

std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat) {
  std::vector<BucketSum> sums;
  for (const Bucket& bucket : make_buckets(layout, options.bucket_bytes, options.first_bucket_bytes)) {
    const GradientRange range = range_of_layers(layout, bucket.first_layer, bucket.layers);
    sums.push_back({bucket, options.compression.make(device, range, seat)});
  }
  return sums;
}

}  // namespace breakeven
