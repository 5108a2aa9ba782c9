// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/buckets.h"

namespace breakeven {

std::vector<Bucket> make_buckets(const ParameterLayout& layout, std::uint64_t bytes,
                                 std::uint64_t first_bytes) {
  std::vector<Bucket> buckets;
  std::size_t end = layout.floats();
  for (std::size_t l = layout.layers(); l-- > 0;) {
    const std::size_t begin = layout.weight_offset(l);
    const std::uint64_t wanted = buckets.empty() && first_bytes > 0 ? first_bytes : bytes;
    if (l > 0 && (end - begin) * sizeof(float) < wanted) continue;
    buckets.push_back({l, begin, end - begin});
    end = begin;
  }
  return buckets;
}

}  // namespace breakeven
