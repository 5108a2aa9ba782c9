// SPDX-License-Identifier: Apache-2.0
// The products of the first layer: a warp holds 16 rows of the batch by 128 inputs in registers, and
// multiplies them with one group of units after another.
//
// Two classes with the same members: fp32 by fused multiply-adds, the others by tensor cores. Rows of samples
// and weights are read in quads of inputs; each class assigns quads to lanes in its own way.
#pragma once

#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/operands.cuh"

namespace breakeven {

constexpr int first_rows = 16;        // a block
constexpr int first_warp_quads = 32;  // of inputs

// The quads of inputs of a block, from rows of `ld` floats.
struct InputQuads {
  int count;
  std::int64_t ld;

  __device__ Quad read(const float* from, std::int64_t row, int quad) const {
    return quad < count ? load_changed_quad(from + row * ld + 4 * quad) : Quad{};
  }
  template <typename T>
  __device__ StoredQuad<T> read_stored(const T* from, std::int64_t row, int quad) const {
    return quad < count ? load_changed_stored(from + row * ld + 4 * quad) : StoredQuad<T>{};
  }
};

// Lane l returns the sum of value[l] over all lanes. Each of five steps halves what is left.
template <int left = 32>
__device__ float sum_of_lane(float (&value)[32]) {
  if constexpr (left == 1) {
    return value[0];
  } else {
    constexpr int half = left / 2;
    const bool upper = (threadIdx.x & half) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const float given = upper ? value[i] : value[i + half];
      const float kept = upper ? value[i + half] : value[i];
      value[i] = kept + __shfl_xor_sync(0xFFFFFFFFu, given, half);
    }
    return sum_of_lane<half>(value);
  }
}

// A lane has one quad of inputs of all rows.
struct FirstLayerFp32 {
  using Operands = Fp32Operands;
  static constexpr int units = 2;  // in a group
  struct Weights {
    Quad of_unit[units];
  };
  Quad x[first_rows];

  static __device__ int quad() { return static_cast<int>(threadIdx.x); }

  __device__ void read_rows(const float* samples, const std::uint32_t* sample, const InputQuads& inputs) {
#pragma unroll
    for (int row = 0; row < first_rows; ++row) x[row] = inputs.read(samples, sample[row], quad());
  }
  __device__ void prepare() {}

  static __device__ Weights read_weights(const float* w, int unit, int outs, const InputQuads& inputs) {
    Weights weights;
#pragma unroll
    for (int u = 0; u < units; ++u) {
      weights.of_unit[u] = unit + u < outs ? inputs.read(w, unit + u, quad()) : Quad{};
    }
    return weights;
  }

  // Stores this warp's part of the sums to sums[row * stride + unit].
  __device__ void multiply(const Weights& weights, float* sums, int stride) const {
    float value[first_rows * units];
#pragma unroll
    for (int row = 0; row < first_rows; ++row) {
#pragma unroll
      for (int u = 0; u < units; ++u) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) sum += x[row].unit[i] * weights.of_unit[u].unit[i];
        value[row * units + u] = sum;
      }
    }
    __syncwarp();  // keeps the lanes converged, so shuffles need no resynchronization
    const int lane = static_cast<int>(threadIdx.x) % 32;
    sums[lane / units * stride + lane % units] = sum_of_lane(value);
  }
};

// Steps of 16 inputs; lanes have quads of samples and of units as multiply_quads says.
template <typename OperandsOf>
struct FirstLayerTensor {
  using Operands = OperandsOf;
  using Stored = typename Operands::Stored;
  static constexpr int units = 8;
  static constexpr int steps = first_warp_quads / 4;
  struct Weights {
    StoredQuad<Stored> of_step[steps];
  };
  Quad of_sample[steps][2];
  OperandQuad<Operands> x[steps][2];

  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int quad(int step) {
    return static_cast<int>(threadIdx.x) / 32 * first_warp_quads + 4 * step + lane() % 4;
  }

  __device__ void read_rows(const float* samples, const std::uint32_t* sample, const InputQuads& inputs) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        of_sample[step][half] = inputs.read(samples, sample[lane() / 4 + 8 * half], quad(step));
      }
    }
  }
  __device__ void prepare() {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int half = 0; half < 2; ++half) x[step][half] = operand_quad<Operands>(of_sample[step][half]);
    }
  }

  static __device__ Weights read_weights(const Stored* w, int unit, int outs, const InputQuads& inputs) {
    Weights weights;
    const int own = unit + lane() / 4;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      weights.of_step[step] = own < outs ? inputs.read_stored(w, own, quad(step)) : StoredQuad<Stored>{};
    }
    return weights;
  }

  __device__ void multiply(const Weights& weights, float* sums, int stride) const {
    float sum[2][4] = {};
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      StoredQuad<Stored> w = weights.of_step[step];
      if constexpr (!stores_16_bits<Operands>) {
#pragma unroll
        for (int i = 0; i < 4; ++i) w.unit[i] = Operands::round(w.unit[i]);
      }
      multiply_quads(x[step], w, step, sum);
    }
    float* const place = sums + lane() / 4 * stride + lane() % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; ++i) place[i / 2 * 8 * stride + i % 2] = sum[0][i] + sum[1][i];
  }
};

template <typename Operands>
struct FirstLayerOf {
  using Math = FirstLayerTensor<Operands>;
};
template <>
struct FirstLayerOf<Fp32Operands> {
  using Math = FirstLayerFp32;
};

}  // namespace breakeven
