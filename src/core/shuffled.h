// SPDX-License-Identifier: Apache-2.0
// The random order in which the cases of a block are measured: another one in every block, so that none
// always comes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "src/core/philox.h"

namespace breakeven {

// 0 to count - 1 in a random order (Fisher and Yates) that follows from the seed and the block alone.
inline std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed, std::uint32_t block) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    const auto word = random_word(seed, RandomUse::shuffle, block, 0, static_cast<std::uint32_t>(left), 0);
    std::swap(order[left - 1], order[word % left]);
  }
  return order;
}

}  // namespace breakeven
