// SPDX-License-Identifier: Apache-2.0
// Which sample of a data set stands at a position of the training sequence: a fresh shuffle every epoch,
// computed where it is needed, the same on every device and for every number of ranks.
#pragma once

#include <cstdint>

#include "kernels/philox.h"

namespace breakeven {

// Position `position` of an endless sequence of shuffled epochs over `samples` samples.
// Each epoch is a permutation by a four-round Feistel network over the next even power of two, with values
// outside the set walked on until they fall inside (Black and Rogaway, "Ciphers with Arbitrary Finite
// Domains", CT-RSA 2002, section 4). Needs 1 <= samples <= 2^30.
BREAKEVEN_PORTABLE std::uint32_t sample_at(std::uint64_t seed, std::uint64_t position,
                                           std::uint32_t samples) {
  const std::uint32_t epoch = static_cast<std::uint32_t>(position / samples);
  std::uint32_t half_bits = 1;
  while ((1u << (2 * half_bits)) < samples) ++half_bits;
  const std::uint32_t half_mask = (1u << half_bits) - 1;
  std::uint32_t value = static_cast<std::uint32_t>(position % samples);
  do {
    std::uint32_t left = value >> half_bits;
    std::uint32_t right = value & half_mask;
    for (std::uint32_t round = 0; round < 4; ++round) {
      const std::uint32_t mixed =
          random_words(seed, RandomUse::order, epoch, round, right, 0).word[0] & half_mask;
      const std::uint32_t next = left ^ mixed;
      left = right;
      right = next;
    }
    value = (left << half_bits) | right;
  } while (value >= samples);
  return value;
}

}  // namespace breakeven
