// SPDX-License-Identifier: Apache-2.0
// The only random generator of the project. It is counter-based: a value depends on its purpose (seed, step,
// layer, sample, unit), never on tiling, number of ranks or device.
#pragma once

#include <cstdint>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

struct Philox4 {
  std::uint32_t word[4];
};

// Philox4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC'11,
// section 3.3.
HOST_DEVICE Philox4 philox4x32(std::uint64_t key, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                               std::uint32_t c3) {
  std::uint32_t key0 = static_cast<std::uint32_t>(key);
  std::uint32_t key1 = static_cast<std::uint32_t>(key >> 32);
  Philox4 state{{c0, c1, c2, c3}};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * state.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * state.word[2];
    state = Philox4{{static_cast<std::uint32_t>(product1 >> 32) ^ state.word[1] ^ key0,
                     static_cast<std::uint32_t>(product1),
                     static_cast<std::uint32_t>(product0 >> 32) ^ state.word[3] ^ key1,
                     static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return state;
}

// What a draw is for; the last counter word, so that no two uses of one seed ever share a value.
enum class RandomUse : std::uint32_t {
  dropout = 0,
  parameters = 1,
  features = 2,
  teacher = 3,
  order = 4,
  shuffle = 5,
  verification = 6
};

// One word for the element (row, unit) of use `use` at `index` (a layer, or 0) and `step`. Four neighbouring
// units share one Philox call: loops over units take all four words of random_words. Indices stay below 2^24.
HOST_DEVICE Philox4 random_words(std::uint64_t seed, RandomUse use, std::uint32_t step, std::uint32_t index,
                                 std::uint32_t row, std::uint32_t quad) {
  return philox4x32(seed, quad, row, step, (static_cast<std::uint32_t>(use) << 24) | index);
}

HOST_DEVICE std::uint32_t random_word(std::uint64_t seed, RandomUse use, std::uint32_t step,
                                      std::uint32_t index, std::uint32_t row, std::uint32_t unit) {
  return random_words(seed, use, step, index, row, unit / 4).word[unit % 4];
}

// Uniform in (-bound, bound), symmetric, never 0: an odd integer over 2^24 is exact, so one rounding is left.
HOST_DEVICE float uniform_within(std::uint32_t word, float bound) {
  const std::int32_t odd = 2 * static_cast<std::int32_t>(word >> 8) + 1 - (1 << 24);
  return static_cast<float>(odd) * 5.9604644775390625e-08f * bound;
}

}  // namespace breakeven
