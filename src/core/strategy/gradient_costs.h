// SPDX-License-Identifier: Apache-2.0
// Messages and bytes that it takes to sum the gradients of data parallelism, to know their norm, and to agree
// on an overflow.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/compression/compression.h"
#include "src/core/message.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/precision.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// The buckets that the options ask for; one bucket where they ask for none.
std::vector<Bucket> buckets_of(const ParameterLayout& layout, const StrategyOptions& options);

// The cost of the sums of all buckets, compressed as the options say.
SumCost bucket_sums_cost(const ParameterLayout& layout, const StrategyOptions& options, int ranks);

// The sums of squares, one for each bucket, that the ranks with parts of a gradient gather.
constexpr std::size_t squares_bytes(std::size_t buckets, int ranks) {
  return static_cast<std::size_t>(ranks) * buckets * sizeof(double);
}
constexpr std::size_t norm_bytes(std::size_t buckets, int ranks) {
  return squares_bytes(buckets, ranks) + sizeof(double);
}
// clip=NORM where every rank that updates has the whole gradient.
inline std::size_t whole_clip_bytes(const StrategyOptions& options) {
  return options.clip_norm > 0 ? norm_bytes(1, 1) : 0;
}

// The float by which ranks agree that one of them has overflowed; 0 where the precision cannot overflow.
constexpr std::size_t overflow_bytes(Precision precision) {
  return info_of(precision).scales_loss ? sizeof(float) : 0;
}
inline void add_overflow_messages(Precision precision, int ranks, std::vector<Message>& messages) {
  const std::size_t bytes = overflow_bytes(precision);
  if (bytes > 0) messages.push_back({Collective::all_reduce, bytes, ranks});
}

}  // namespace breakeven
