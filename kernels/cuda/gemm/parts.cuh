// SPDX-License-Identifier: Apache-2.0
// k divided over several blocks, and their sums brought together.
//
// Where C has few tiles and k is long, several blocks make a tile, each a part of k. The parts are added in
// their order, so that a product is the same bits in every run. From sm_90 on the blocks of a tile are a
// cluster, which reads each other's shared memory: each block adds the parts of its share of the tile, and
// finishes that. Before, they leave their sums in global memory, and the last to arrive finishes the tile.
#pragma once

#include <cstdint>

#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

// How k is cut: `count` blocks for each tile, each of `depth` (the last may have less).
struct Parts {
  int count;  // a power of two
  int count_log2;
  int depth;
  // Only before sm_90:
  float* sums;             // [tile][part][quad][thread], then [row] of the sums over k
  std::uint32_t* arrived;  // [tile]: blocks that are done; 0 between products
};

// What a block keeps in shared memory once its last step is done, in the place of the tiles.
template <typename Math>
struct PartSums {
  Quad quad[Math::quads][Math::threads];
  float row[Math::BM];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release;\n" ::: "memory"); }
__device__ inline void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire;\n" ::: "memory"); }

// The parts of a tile that a block sees, and its share of the quads.
template <typename Math>
class TileParts {
 public:
  __device__ TileParts(const Parts& parts, int /*tile*/, int part, PartSums<Math>& mine)
      : count_(parts.count), part_(part), mine_(mine) {}

  // All parts of the tile can be read from here on. False where this block has nothing to finish.
  __device__ bool meet() {
    if (count_ == 1) {
      __syncthreads();
      return true;
    }
    arrive_at_cluster();
    wait_for_cluster();
    return true;
  }
  // Shared memory stays until all have read it. What was read has been used by now, so nothing need be made
  // visible: a releasing arrival would wait for this block's stores.
  __device__ void leave() {
    if (count_ == 1) return;
    asm volatile("barrier.cluster.arrive.relaxed;\n" ::: "memory");
    wait_for_cluster();
  }

  __device__ int first_quad() const { return part_; }
  __device__ int quad_stride() const { return count_; }
  __device__ bool finishes_rows() const { return part_ == 0; }

  __device__ Quad quad(int q) const {
    if (count_ == 1) return mine_.quad[q][threadIdx.x];
    Quad of_part[most_parts];  // all on their way before the first is added
#pragma unroll
    for (int part = 0; part < most_parts; ++part) {
      if (part < count_) of_part[part] = load(&mine_.quad[q][threadIdx.x], part);
    }
    Quad sum = of_part[0];
#pragma unroll
    for (int part = 1; part < most_parts; ++part) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (part < count_) sum.unit[i] += of_part[part].unit[i];
      }
    }
    return sum;
  }
  __device__ float row(int r) const {
    if (count_ == 1) return mine_.row[r];
    float sum = 0;
    for (int part = 0; part < count_; ++part) sum += load(&mine_.row[r], part);
    return sum;
  }

 private:
  static __device__ std::uint32_t address_in(const void* place, int part) {
    std::uint32_t address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;\n" : "=r"(address) : "r"(shared_address(place)), "r"(part));
    return address;
  }
  static __device__ Quad load(const Quad* place, int part) {
    Quad quad;
    asm volatile("ld.shared::cluster.v4.f32 {%0,%1,%2,%3}, [%4];\n"
                 : "=f"(quad.unit[0]), "=f"(quad.unit[1]), "=f"(quad.unit[2]), "=f"(quad.unit[3])
                 : "r"(address_in(place, part)));
    return quad;
  }
  static __device__ float load(const float* place, int part) {
    float value;
    asm volatile("ld.shared::cluster.f32 %0, [%1];\n" : "=f"(value) : "r"(address_in(place, part)));
    return value;
  }

  int count_;
  int part_;
  PartSums<Math>& mine_;
};

#else

template <typename Math>
class TileParts {
 public:
  __device__ TileParts(const Parts& parts, int tile, int part, PartSums<Math>& mine)
      : count_(parts.count), part_(part), mine_(mine) {
    of_tile_ = parts.sums + std::int64_t{tile} * count_ * part_floats;
    arrived_ = parts.arrived + tile;
  }

  __device__ bool meet() {
    __shared__ bool is_last;
    __syncthreads();
    if (count_ == 1) return true;
    float* place = of_tile_ + std::int64_t{part_} * part_floats;
    for (int q = 0; q < Math::quads; ++q) {
      reinterpret_cast<Quad*>(place)[q * Math::threads + threadIdx.x] = mine_.quad[q][threadIdx.x];
    }
    for (int r = static_cast<int>(threadIdx.x); r < Math::BM; r += Math::threads) {
      place[quad_floats + r] = mine_.row[r];
    }
    __threadfence();  // the sums are visible before they are counted
    __syncthreads();
    if (threadIdx.x == 0) {
      const auto last = static_cast<std::uint32_t>(count_ - 1);
      is_last = atomicInc(arrived_, last) == last;  // and the counter is 0 again
      __threadfence();                              // all sums were counted before they are read
    }
    __syncthreads();
    return is_last;
  }
  __device__ void leave() {}

  __device__ int first_quad() const { return 0; }
  __device__ int quad_stride() const { return 1; }
  __device__ bool finishes_rows() const { return true; }

  __device__ Quad quad(int q) const {
    if (count_ == 1) return mine_.quad[q][threadIdx.x];
    Quad sum{};
    for (int part = 0; part < count_; ++part) {
      const float4* place = reinterpret_cast<const float4*>(of_tile_ + std::int64_t{part} * part_floats);
      const float4 of_part = __ldcg(place + q * Math::threads + threadIdx.x);
      sum.unit[0] += of_part.x;
      sum.unit[1] += of_part.y;
      sum.unit[2] += of_part.z;
      sum.unit[3] += of_part.w;
    }
    return sum;
  }
  __device__ float row(int r) const {
    if (count_ == 1) return mine_.row[r];
    float sum = 0;
    for (int part = 0; part < count_; ++part) {
      sum += __ldcg(of_tile_ + std::int64_t{part} * part_floats + quad_floats + r);
    }
    return sum;
  }

 private:
  static constexpr int quad_floats = 4 * Math::quads * Math::threads;
  static constexpr int part_floats = quad_floats + Math::BM;
  int count_;
  int part_;
  PartSums<Math>& mine_;
  float* of_tile_;
  std::uint32_t* arrived_;
};

#endif

}  // namespace breakeven
