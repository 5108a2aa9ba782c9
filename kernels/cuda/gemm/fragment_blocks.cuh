// SPDX-License-Identifier: Apache-2.0
// How the registers of a warp-wide product are read from a tile in shared memory with k along its lines, in
// each precision. g = lane / 4 is a lane's row of A and column of B, t = lane % 4 its place along k (PTX ISA,
// "Matrix fragments for mma.m16n8k8" and "mma.m16n8k16").
#pragma once

#include <cstdint>

#include "kernels/cuda/gemm/async_tile.cuh"

namespace breakeven {

// Four 8 x 8 blocks of 16-bit pairs; lane l gives the address of row l % 8 of block l / 8.
__device__ inline void load_blocks(std::uint32_t address, std::uint32_t& r0, std::uint32_t& r1,
                                   std::uint32_t& r2, std::uint32_t& r3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
}
__device__ inline void load_blocks_transposed(std::uint32_t address, std::uint32_t& r0, std::uint32_t& r1,
                                              std::uint32_t& r2, std::uint32_t& r3) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
}

// Each lane computes its offset into a tile once. What changes from block to block and step to step is added,
// or set by exclusive or in bits that the offset leaves zero: tiles are aligned to 256 bytes, and a warp's
// part of a tile to its size.

// Tiles with k along their lines: 32 bytes of k are two chunks. Blocks of A are rows 0-7 and 8-15 of the
// first chunk, then of the second; blocks of B both chunks of columns 0-7, then of columns 8-15.
__device__ inline std::uint32_t offset_of_a_along_k(int first_row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return (first_row + lane % 16) * line_bytes_of_k + ((lane / 16) ^ (lane % 8)) * chunk_bytes;
}
__device__ inline std::uint32_t offset_of_b_along_k(int first_col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return (first_col + lane % 8 + lane / 16 * 8) * line_bytes_of_k +
         ((lane / 8 % 2) ^ (lane % 8)) * chunk_bytes;
}
__device__ inline void read_a_along_k(std::uint32_t place, int product, int step, std::uint32_t (&a)[4]) {
  load_blocks((place ^ (32 * step)) + product * 16 * line_bytes_of_k, a[0], a[1], a[2], a[3]);
}
__device__ inline void read_b_along_k(std::uint32_t place, int product, int step, std::uint32_t (&b0)[2],
                                      std::uint32_t (&b1)[2]) {
  load_blocks((place ^ (32 * step)) + product * 8 * line_bytes_of_k, b0[0], b0[1], b1[0], b1[1]);
}

}  // namespace breakeven
