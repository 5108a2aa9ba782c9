// SPDX-License-Identifier: Apache-2.0
// Fragments of a TF32 operand that lies across k (hopper_wgmma.cuh), which a warp loads into registers.
#pragma once

#include <cstdint>

namespace breakeven::hopper {

// wgmma computes rows 16 w to 16 w + 15 of a block of 64 in warp w of the warp group. Lane l holds values of
// rows l / 4 and l / 4 + 8 of these, at k = l % 4 and l % 4 + 4. The rows of A that they stand for are
// permuted, so that the 32 lanes read from 32 different banks: four rows are a chunk of 16 bytes, k flips two
// bits of the chunk's number, and the third must differ between lanes 0 to 15 and 16 to 31.

// The place of wgmma's row among the 16, in ascending order of the rows of A.
__device__ inline int fragment_place(int row) { return row / 4 % 2 * 8 + row / 8 * 4 + row % 4; }

// The row of A, in the block of 64, at such a place.
__device__ inline int fragment_row(int warp, int place) {
  return warp / 2 * 32 + place / 8 * 16 + warp % 2 * 8 + place % 8;
}

// A stage of a block: twice [32 of k][32 rows]. Loads the values for the `step`th eight of k.
__device__ inline void load_fragment(const unsigned char* block, int step, std::uint32_t (&fragment)[4]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int k = step * 8 + lane % 4 + i / 2 * 4;
    const int row = fragment_row(warp, fragment_place(lane / 4 + i % 2 * 8));
    const int chunk = (row % 32 / 4) ^ (k % 8);
    fragment[i] =
        *reinterpret_cast<const std::uint32_t*>(block + row / 32 * 4096 + k * 128 + chunk * 16 + row % 4 * 4);
  }
}

}  // namespace breakeven::hopper
