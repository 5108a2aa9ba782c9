// SPDX-License-Identifier: Apache-2.0
// One warp's part of a product: a tile of outputs by eight rows, over a part of k. Both operands lie in
// shared memory with k along their lines.
//
// Two classes with the same members: fp32 by fused multiply-adds, the others by tensor cores. A line's length
// is an odd multiple of half the banks (cluster_plan.cu), so eight lanes read four neighbouring quads of two
// lines without bank conflicts.
#pragma once

#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/network/cluster_plan.cuh"
#include "kernels/cuda/network/operands.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

// A lane has four outputs by two rows, and every fourth quad of k.
class Fp32Slice {
 public:
  using Operands = Fp32Operands;
  static constexpr int tile = fp32_outputs;
  struct Step {  // of the matrix
    Quad w[4];
  };

  // The lines of the matrix begin at `matrix`; `outputs` of them are left.
  static __device__ Step read_matrix(const float* matrix, int line, int outputs) {
    Step step;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      step.w[i] = load_quad(matrix + min(2 * i + side(), outputs - 1) * line + 4 * quad());
    }
    return step;
  }
  __device__ void multiply(const Step& step, const float* values, int line) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const Quad x = load_quad(values + (row() + r) * line + 4 * quad());
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int u = 0; u < 4; ++u) sum_[i][r] += step.w[i].unit[u] * x.unit[u];
      }
    }
  }
  // Stores to sums[row * line + output].
  __device__ void store(float* sums, int line) {
    add_over_quads();
    float* const place = sums + (row() + quad() % 2) * line + quad() / 2 * 4 + side();
    place[0] = sum_[0][0];
    place[2] = sum_[1][0];
  }

 private:
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int quad() { return lane() % 4; }
  static __device__ int side() { return lane() / 4 % 2; }  // of consecutive outputs
  static __device__ int row() { return lane() / 8 * 2; }

  // Adds over four lanes; each keeps row quad % 2 and half of the outputs.
  __device__ void add_over_quads() {
    const bool odd = quad() % 2 != 0;
    const bool upper = quad() / 2 != 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float given = odd ? sum_[i][0] : sum_[i][1];
      sum_[i][0] = (odd ? sum_[i][1] : sum_[i][0]) + __shfl_xor_sync(0xFFFFFFFFu, given, 1);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float given = upper ? sum_[i][0] : sum_[i + 2][0];
      sum_[i][0] = (upper ? sum_[i + 2][0] : sum_[i][0]) + __shfl_xor_sync(0xFFFFFFFFu, given, 2);
    }
  }

  float sum_[4][2] = {};
};

// Outputs are m and rows n of m16n8k8. Lane 4 g + t has quad t of outputs g and g + 8, and of row g. A quad's
// first two values are used as k = t and t + 4 of one mma, the others of the next: a permutation of k.
template <typename OperandsOf>
class TensorSlice {
 public:
  using Operands = OperandsOf;
  static constexpr int tile = tensor_outputs;
  struct Step {
    Quad w[2];
  };

  static __device__ Step read_matrix(const float* matrix, int line, int outputs) {
    Step step;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      step.w[i] = load_quad(matrix + min(g() + 8 * i, outputs - 1) * line + 4 * t());
    }
    return step;
  }
  __device__ void multiply(const Step& step, const float* values, int line) {
    const Quad x = load_quad(values + g() * line + 4 * t());
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
      const std::uint32_t a[4] = {bits(step.w[0].unit[i]), bits(step.w[1].unit[i]),
                                  bits(step.w[0].unit[i + 1]), bits(step.w[1].unit[i + 1])};
      const std::uint32_t b[2] = {bits(x.unit[i]), bits(x.unit[i + 1])};
      multiply_tf32(a, b, sum_[i / 2]);
    }
  }
  __device__ void store(float* sums, int line) const {
    float* const place = sums + 2 * t() * line + g();
#pragma unroll
    for (int i = 0; i < 4; ++i) place[i % 2 * line + i / 2 * 8] = sum_[0][i] + sum_[1][i];
  }

 private:
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int g() { return lane() / 4; }
  static __device__ int t() { return lane() % 4; }
  static __device__ std::uint32_t bits(float value) { return __float_as_uint(value); }
  float sum_[2][4] = {};  // two independent chains of mma
};

template <typename Operands>
struct SliceOf {
  using Slice = TensorSlice<Operands>;
};
template <>
struct SliceOf<Fp32Operands> {
  using Slice = Fp32Slice;
};

}  // namespace breakeven
