// SPDX-License-Identifier: Apache-2.0
// The order in which what is compared is measured: another one in every block, so that nothing always comes
// first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace breakeven {

// 0 to count - 1 in a random order (Fisher and Yates) that follows from the seed and the block alone.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed, std::uint32_t block);

}  // namespace breakeven
