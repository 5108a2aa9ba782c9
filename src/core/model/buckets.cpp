// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/buckets.h"

namespace breakeven {

std::vector<Bucket> make_buckets(const ParameterLayout& layout, std::uint64_t bytes,
                                 std::uint64_t first_bytes) {
  std::vector<Bucket> buckets;
  std::size_t end = layout.floats();
  std::size_t end_layer = layout.layers();
  for (std::size_t l = layout.layers(); l-- > 0;) {
    const std::size_t begin = layout.weight_offset(l);
    const std::uint64_t wanted = buckets.empty() && first_bytes > 0 ? first_bytes : bytes;
    const bool is_full = wanted > 0 && (end - begin) * sizeof(float) >= wanted;
    if (l > 0 && !is_full) continue;
    buckets.push_back({l, end_layer - l, begin, end - begin});
    end = begin;
    end_layer = l;
  }
  return buckets;
}

std::vector<OwnPart> make_own_parts(const std::vector<Bucket>& buckets, int rank, int ranks) {
  const auto owners = static_cast<std::size_t>(ranks);
  std::vector<OwnPart> parts;
  for (const Bucket& bucket : buckets) {
    const std::size_t share = bucket.floats / owners;
    parts.push_back({bucket.begin + static_cast<std::size_t>(rank) * share, bucket.begin / owners, share});
  }
  return parts;
}

}  // namespace breakeven
