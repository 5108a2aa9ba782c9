// SPDX-License-Identifier: Apache-2.0
// Tiles of the operands on their way from global to shared memory, by asynchronous copies of 16 bytes: no
// register is held meanwhile, so several tiles can be under way.
//
// A tile is `side` rows of m (or columns of n) by BK of k. Where the operand has k along its lines, a line of
// the tile is one row of m with BK elements of k, 128 bytes; else it is one k with `side` elements. A line is
// made of chunks of 16 bytes, which are stored permuted (`swizzle`), so that the reads of a warp meet 32
// different banks without padding.
#pragma once

#include <cstdint>

#include "kernels/cuda/element.cuh"

namespace breakeven {

constexpr int chunk_bytes = 16;
constexpr int line_bytes_of_k = 128;  // of each line in one step along k

// Elements of k in one step.
template <typename T>
constexpr int BK = line_bytes_of_k / static_cast<int>(sizeof(T));

template <typename T>
constexpr int chunk_elements = chunk_bytes / static_cast<int>(sizeof(T));

// Shared memory has addresses of 32 bits of its own.
__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Copies the first `bytes` of a chunk, and zeros for the rest.
__device__ inline void copy_chunk(std::uint32_t to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(bytes));
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n" ::); }
template <int groups>
__device__ void wait_for_all_but() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(groups));
}

// The same element by element, for lines that start anywhere.
template <typename T>
__device__ void carry_chunk(std::uint32_t to, const T* from, int elements) {
  union {
    T unit[chunk_elements<T>];
    uint4 bits;
  } chunk;
  chunk.bits = make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int i = 0; i < chunk_elements<T>; ++i) {
    if (i < elements) chunk.unit[i] = from[i];
  }
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};\n" ::"r"(to), "r"(chunk.bits.x), "r"(chunk.bits.y),
               "r"(chunk.bits.z), "r"(chunk.bits.w));
}

// `Swizzle::chunk(line, chunk)` is where a chunk of a line is stored.
template <typename T, int side, bool k_along_lines, int threads, typename Swizzle>
class AsyncTile {
 public:
  static constexpr int line_bytes = k_along_lines ? line_bytes_of_k : side * static_cast<int>(sizeof(T));
  static constexpr int bytes = side * line_bytes_of_k;

  // The tiles begin at row (column) `first` of the operand's `sides`, and at k = `first_k`.
  __device__ AsyncTile(const void* operand, std::int64_t ld, int first, int sides, int first_k, bool aligned)
      : operand_(static_cast<const T*>(operand)), from_(operand_), ld_(ld), aligned_(aligned) {
    const int line = static_cast<int>(threadIdx.x) / chunks_a_line;
    const int chunk = static_cast<int>(threadIdx.x) % chunks_a_line;
    const int along = chunk * chunk_elements<T>;
    from_ += k_along_lines ? (first + line) * ld + first_k + along : (first_k + line) * ld + first + along;
    lines_left_ = (k_along_lines ? sides - first : 0) - line;
    elements_left_ = (k_along_lines ? 0 : sides - first) - along;
  }

  // Sets the next tile, of which `depth` of k are in the matrix, out for shared memory at `to`. What is
  // beyond the matrix becomes zeros, which add nothing.
  __device__ void fetch(std::uint32_t to, int depth) {
    const int lines = lines_left_ + (k_along_lines ? 0 : depth);
    const int elements = max(0, min(chunk_elements<T>, elements_left_ + (k_along_lines ? depth : 0)));
    if (aligned_) {
#pragma unroll
      for (int i = 0; i < copies; ++i) {
        const bool inside = i * lines_a_pass < lines && elements > 0;
        const T* from = from_ + (inside ? i * lines_a_pass * ld_ : 0);  // where nothing is read: a border
        copy_chunk(place_of(to, i), inside ? from : operand_, inside ? elements * element_bytes : 0);
      }
    } else {
      carry(to, from_, ld_, lines, elements);
    }
    from_ += k_along_lines ? BK<T> : BK<T> * ld_;
  }

 private:
  static constexpr int element_bytes = static_cast<int>(sizeof(T));
  static constexpr int chunks_a_line = line_bytes / chunk_bytes;
  static constexpr int copies = bytes / chunk_bytes / threads;
  static constexpr int lines_a_pass = threads / chunks_a_line;
  static_assert(bytes / chunk_bytes % threads == 0, "every thread copies the same number of chunks");
  static_assert(threads % chunks_a_line == 0, "a thread keeps its place in the line");

  static __device__ std::uint32_t place_of(std::uint32_t to, int i) {
    const int at = static_cast<int>(threadIdx.x) + i * threads;
    const int line = at / chunks_a_line;
    return to + line * line_bytes + Swizzle::chunk(line, at % chunks_a_line) * chunk_bytes;
  }

  // The rare way, kept out of the other's registers and instructions.
  static __device__ __noinline__ void carry(std::uint32_t to, const T* from, std::int64_t ld, int lines,
                                            int elements) {
#pragma unroll 1
    for (int i = 0; i < copies; ++i) {
      const bool inside = i * lines_a_pass < lines;
      carry_chunk(place_of(to, i), from + i * lines_a_pass * ld, inside ? elements : 0);
    }
  }

  const T* operand_;
  const T* from_;
  std::int64_t ld_;
  int lines_left_;
  int elements_left_;
  bool aligned_;
};

}  // namespace breakeven
