// SPDX-License-Identifier: Apache-2.0
// Long arrays in MPI's calls.
#pragma once

#include <algorithm>
#include <cstddef>

namespace breakeven {

// MPI's counts are int, so long arrays travel in pieces: body(offset, elements) for each.
template <typename Body>
void for_each_piece(std::size_t count, Body body, std::size_t piece = std::size_t{1} << 28) {
  for (std::size_t offset = 0; offset < count; offset += piece)
    body(offset, static_cast<int>(std::min(piece, count - offset)));
}

}  // namespace breakeven
