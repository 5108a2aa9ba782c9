// SPDX-License-Identifier: Apache-2.0
// The sample at a position of the training sequence. Each epoch is a new shuffle, computed on demand, the
// same on every device and for every number of ranks.
#pragma once

#include <cstdint>

#include "src/core/philox.h"

namespace breakeven {

// Fmix32, the finalizer of MurmurHash3 (Appleby, 2011): every bit of the result depends on every bit of the
// value.
HOST_DEVICE std::uint32_t mixed_bits(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x85EBCA6Bu;
  value = (value ^ (value >> 13)) * 0xC2B2AE35u;
  return value ^ (value >> 16);
}

// Position `position` of an endless sequence of shuffled epochs over `samples` samples, 1 <= samples <= 2^30.
// Each epoch is a permutation by a four-round Feistel network over the next power of two, applied again to
// values outside the set (cycle walking: Black and Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA
// 2002, section 4). The walk is serial and a step waits for the longest walk of its batch, so the rounds are
// cheap: their keys are random (one Philox call per epoch), the mixing function is fixed.
HOST_DEVICE std::uint32_t sample_at(std::uint64_t seed, std::uint64_t position, std::uint32_t samples) {
  const bool is_short = position >> 32 == 0;  // a division of 64 bits takes a GPU a hundred instructions
  const auto epoch = static_cast<std::uint32_t>(is_short ? static_cast<std::uint32_t>(position) / samples
                                                         : position / samples);
  std::uint32_t value = static_cast<std::uint32_t>(position) - epoch * samples;
  std::uint32_t bits = 2;
  while ((1u << bits) < samples) ++bits;
  const Philox4 keys = random_words(seed, RandomUse::order, epoch, 0, 0, 0);
  do {
    std::uint32_t left_bits = bits / 2;
    std::uint32_t right_bits = bits - left_bits;
    std::uint32_t left = value >> right_bits;
    std::uint32_t right = value & ((1u << right_bits) - 1);
    for (int round = 0; round < 4; ++round) {
      const std::uint32_t next = left ^ (mixed_bits(right ^ keys.word[round]) & ((1u << left_bits) - 1));
      left = right;
      right = next;
      const std::uint32_t bits_of_next = left_bits;
      left_bits = right_bits;
      right_bits = bits_of_next;
    }
    value = (left << right_bits) | right;
  } while (value >= samples);
  return value;
}

}  // namespace breakeven
