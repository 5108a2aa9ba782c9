// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/split.h"

#include <algorithm>

namespace breakeven::bench {

Piece piece_of(std::int64_t total, int pieces, int number) {
  const std::int64_t least = total / pieces;
  const std::int64_t larger = total % pieces;
  return {number * least + std::min<std::int64_t>(number, larger), least + (number < larger ? 1 : 0)};
}

Piece piece_of(const Piece& whole, int pieces, int number) {
  const Piece within = piece_of(whole.count, pieces, number);
  return {whole.first + within.first, within.count};
}

Mesh mesh_of(int ranks) {
  int rows = 1;
  for (int candidate = 1; candidate * candidate <= ranks; ++candidate) {
    if (ranks % candidate == 0) rows = candidate;
  }
  return {rows, ranks / rows};
}

}  // namespace breakeven::bench
