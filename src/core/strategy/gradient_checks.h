// SPDX-License-Identifier: Apache-2.0
// What it costs the ranks to know the norm of a gradient and whether one of them has overflowed.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/message.h"
#include "src/core/precision.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven {

// Of the squares of a gradient in buckets, which the ranks that have parts of it gather.
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

// One float, by which ranks agree that one of them has overflowed; 0 where the precision cannot.
constexpr std::size_t overflow_bytes(Precision precision) {
  return info_of(precision).scales_loss ? sizeof(float) : 0;
}
inline void add_overflow_messages(Precision precision, int ranks, std::vector<Message>& messages) {
  const std::size_t bytes = overflow_bytes(precision);
  if (bytes > 0) messages.push_back({Collective::all_reduce, bytes, ranks});
}

}  // namespace breakeven
