// SPDX-License-Identifier: Apache-2.0
// Copies tiles of the operands from global to shared memory by 16-byte asynchronous copies (cp.async), which
// hold no registers, so several tiles can be in flight.
//
// A tile is `side` rows of m (or columns of n) by BK of k. If the operand has k along its lines, a line of
// the tile is one row of m with BK values of k, 128 bytes; otherwise it is one k with `side` values. A line
// consists of 16-byte chunks, stored permuted (swizzle), so a warp reads from 32 different banks without
// padding.
#pragma once

#include <cstdint>

#include "kernels/cuda/cluster_memory.cuh"
#include "kernels/cuda/dtype.cuh"

namespace breakeven {

constexpr int chunk_bytes = 16;
constexpr int line_bytes_of_k = 128;  // of each line in one step along k

// Values of k in one step.
template <typename T>
constexpr int BK = line_bytes_of_k / static_cast<int>(sizeof(T));

template <typename T>
constexpr int chunk_elements = chunk_bytes / static_cast<int>(sizeof(T));

__device__ inline void copy_chunk(std::uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from));
}
// The first `bytes` of a chunk, and zeros for the rest.
__device__ inline void copy_part_of_chunk(std::uint32_t to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(bytes));
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n" ::); }
template <int groups>
__device__ void wait_for_all_but() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(groups));
}

// The same value by value, for unaligned lines.
template <typename T>
__device__ void copy_values(std::uint32_t to, const T* from, int elements) {
  union {
    T unit[chunk_elements<T>];
    uint4 bits;
  } chunk;
  chunk.bits = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int i = 0; i < chunk_elements<T>; ++i) {
    if (i < elements) chunk.unit[i] = __ldcg(from + i);  // L1 may hold an old value (launch_order.cuh)
  }
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};\n" ::"r"(to), "r"(chunk.bits.x), "r"(chunk.bits.y),
               "r"(chunk.bits.z), "r"(chunk.bits.w));
}

// Chunk c of line l is stored at c ^ Swizzle::mask(l). A mask is some bits of l, so the mask of a sum without
// carry is the exclusive or of the masks.
template <typename T, int side, bool k_along_lines, int threads, typename Swizzle>
class AsyncTile {
 public:
  static constexpr int line_bytes = k_along_lines ? line_bytes_of_k : side * static_cast<int>(sizeof(T));
  static constexpr int bytes = side * line_bytes_of_k;

  // Tiles begin at row (column) `first` of the operand's `sides`, and at k = `first_k`.
  __device__ AsyncTile(const void* operand, std::int64_t ld, int first, int sides, int first_k, bool aligned)
      : operand_(static_cast<const char*>(operand)),
        aligned_(aligned),
        whole_(aligned && sides - first >= side) {
    const int line = static_cast<int>(threadIdx.x) / chunks_a_line;
    const int chunk = static_cast<int>(threadIdx.x) % chunks_a_line;
    const int along = chunk * chunk_elements<T>;
    const std::int64_t at =
        k_along_lines ? (first + line) * ld + first_k + along : (first_k + line) * ld + first + along;
    from_ = operand_ + at * dtype_bytes;
    offset_ = line * line_bytes + (chunk ^ Swizzle::mask(line)) * chunk_bytes;
    pass_bytes_ = lines_a_pass * ld * dtype_bytes;
    step_bytes_ = (k_along_lines ? 1 : ld) * BK<T> * dtype_bytes;
    lines_left_ = (k_along_lines ? sides - first : 0) - line;
    elements_left_ = (k_along_lines ? 0 : sides - first) - along;
  }

  // Whether all rows (columns) of the tiles are in the matrix, and their lines are aligned.
  __device__ bool is_whole() const { return whole_; }

  // Starts copying the next tile to shared memory at `to`. The tile must lie within the matrix.
  __device__ void fetch_whole(std::uint32_t to) {
    const char* from = from_;
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      copy_chunk(place_of(to + offset_, i), from);
      from += pass_bytes_;
    }
    from_ += step_bytes_;
  }
  // The same for any tile, of which `depth` of k are in the matrix. Values outside the matrix become zeros.
  __device__ void fetch(std::uint32_t to, int depth) {
    const int lines = lines_left_ + (k_along_lines ? 0 : depth);
    const int elements = max(0, min(chunk_elements<T>, elements_left_ + (k_along_lines ? depth : 0)));
    if (aligned_) {
      copy_edge(to + offset_, lines, elements);
    } else {
      copy_unaligned(to + offset_, from_, pass_bytes_, lines, elements);
    }
    from_ += step_bytes_;
  }

 private:
  static constexpr int dtype_bytes = static_cast<int>(sizeof(T));
  static constexpr int chunks_a_line = line_bytes / chunk_bytes;
  static constexpr int copies = bytes / chunk_bytes / threads;
  static constexpr int lines_a_pass = threads / chunks_a_line;
  static_assert(bytes / chunk_bytes % threads == 0, "every thread copies the same number of chunks");
  static_assert(threads % chunks_a_line == 0, "a thread keeps its place in the line");
  static_assert((lines_a_pass & (lines_a_pass - 1)) == 0, "lines add up without a carry");

  static __device__ std::uint32_t place_of(std::uint32_t first, int i) {
    return (first ^ (Swizzle::mask(i * lines_a_pass) * chunk_bytes)) + i * lines_a_pass * line_bytes;
  }

  __device__ void copy_edge(std::uint32_t to, int lines, int elements) const {
    const char* from = from_;
#pragma unroll
    for (int i = 0; i < copies; ++i) {
      const bool inside = i * lines_a_pass < lines && elements > 0;
      copy_part_of_chunk(place_of(to, i),
                         inside ? from : operand_,  // an aligned address, although nothing is read
                         inside ? elements * dtype_bytes : 0);
      from += pass_bytes_;
    }
  }

  // Not inlined, to keep registers and instructions out of the code for aligned tiles.
  static __device__ __noinline__ void copy_unaligned(std::uint32_t to, const char* from,
                                                     std::int64_t pass_bytes, int lines, int elements) {
#pragma unroll 1
    for (int i = 0; i < copies; ++i) {
      copy_values(place_of(to, i), reinterpret_cast<const T*>(from + i * pass_bytes),
                  i * lines_a_pass < lines ? elements : 0);
    }
  }

  const char* operand_;
  const char* from_;
  std::int64_t pass_bytes_;
  std::int64_t step_bytes_;
  std::uint32_t offset_;
  int lines_left_;
  int elements_left_;
  bool aligned_;
  bool whole_;  // the rows or columns; not k
};

}  // namespace breakeven
