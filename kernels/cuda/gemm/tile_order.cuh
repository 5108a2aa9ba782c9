// SPDX-License-Identifier: Apache-2.0
// The order in which the threads of a block finish the quads of its tile: row by row, so a warp loads and
// stores whole cache lines, whichever values each thread computed.
#pragma once

namespace breakeven {

// Each thread has one quad per round. Places of quads are numbered by round, then by thread.
template <typename Math>
struct TileOrder {
  static constexpr int row_quads = Math::BN / 4;
  static constexpr int rows_a_round = Math::threads / row_quads;
  static constexpr int rounds = Math::BM / rows_a_round;

  static_assert(row_quads >= 8 && Math::threads % row_quads == 0 && Math::BM % rows_a_round == 0,
                "a round is some whole rows");

  // Permutes the quads of row `row`; it is its own inverse. Eight neighbouring lanes of an mma.sync product
  // have quads of four rows (tensor_core.cuh), which the permutation puts into different banks.
  static __device__ int turned(int row, int quad) { return quad ^ ((row & 1) * 2 + (row >> 3 & 1) * 4); }

  static __device__ int place_of(int row, int col) { return row * row_quads + turned(row, col / 4); }
  static __device__ int place_of(int round) { return round * Math::threads + static_cast<int>(threadIdx.x); }
  static __device__ int row_of(int round) {
    return round * rows_a_round + static_cast<int>(threadIdx.x) / row_quads;
  }
  static __device__ int col_of(int round) {
    return 4 * turned(row_of(round), static_cast<int>(threadIdx.x) % row_quads);
  }
};

}  // namespace breakeven
