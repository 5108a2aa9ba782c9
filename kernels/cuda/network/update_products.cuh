// SPDX-License-Identifier: Apache-2.0
// The gradients of a tile of weights, summed over rows of the batch in shared memory. A line holds one row:
// gradients of the tile's units and values of its inputs. Each half of the block's threads computes the whole
// tile for half of the rows.
//
// Classes with the same members: fp32 by fused multiply-adds, the others by tensor cores. A thread has
// four quads of consecutive inputs.
#pragma once

#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/network/operands.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

constexpr int update_units = 32;
constexpr int update_inputs = 64;
constexpr int update_half = 128;  // threads
// Values from line to line: eight floats of each of four neighbouring lines lie in 32 different banks, and so
// do eight 16-bit values of each of eight.
constexpr int gradient_line = update_units + 8;
constexpr int input_line = update_inputs + 8;

// Four units by four inputs.
class Fp32Update {
 public:
  using Operands = Fp32Operands;
  static constexpr int step = 8;  // rows; those after the batch are zero

  __device__ void add_rows(const float* gradients, const float* inputs, int row, int end) {
    const float* dy = gradients + row * gradient_line + unit(0);
    const float* x = inputs + row * input_line + input(0);
#pragma unroll 4
    for (; row < end; ++row) {
      const Quad a = load_quad(dy);
      const Quad b = load_quad(x);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sum_[i].unit[j] += a.unit[i] * b.unit[j];
      }
      dy += gradient_line;
      x += input_line;
    }
  }
  __device__ const Quad& quad(int i) const { return sum_[i]; }
  // The place of the quad in the tile.
  static __device__ int unit(int i) { return thread() / (update_inputs / 4) * 4 + i; }
  static __device__ int input(int /*i*/) { return thread() % (update_inputs / 4) * 4; }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x) % update_half; }

  Quad sum_[4] = {};
};

// A warp has 16 units by 32 inputs. Units 2 g and 2 g + 1 are used as rows g and g + 8 of an mma, inputs 2 n
// and 2 n + 1 as column n of one mma and of the next, so operands and sums are adjacent. The inputs are
// rounded already.
class Tf32Update {
 public:
  using Operands = Tf32Operands;
  static constexpr int step = 8;

  __device__ void add_rows(const float* gradients, const float* inputs, int row, int end) {
    const float* dy = gradients + (row + t()) * gradient_line + first_unit() + 2 * g();
    const float* x = inputs + (row + t()) * input_line + first_input() + 2 * g();
#pragma unroll 2
    for (; row < end; row += step) {
      std::uint32_t a[4];
      read_pair(dy, a[0], a[1]);
      read_pair(dy + 4 * gradient_line, a[2], a[3]);
#pragma unroll
      for (std::uint32_t& value : a) value = round_to_tf32(value);
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        std::uint32_t b[2][2];
        read_pair(x + 16 * side, b[0][0], b[1][0]);
        read_pair(x + 16 * side + 4 * input_line, b[0][1], b[1][1]);
        multiply_tf32(a, b[0], sum_[side][0]);
        multiply_tf32(a, b[1], sum_[side][1]);
      }
      dy += step * gradient_line;
      x += step * input_line;
    }
  }
  __device__ Quad quad(int i) const {
    const float(&even)[4] = sum_[i / 2][0];
    const float(&odd)[4] = sum_[i / 2][1];
    const int at = i % 2 * 2;
    return {{even[at], odd[at], even[at + 1], odd[at + 1]}};
  }
  static __device__ int unit(int i) { return first_unit() + 2 * g() + i % 2; }
  static __device__ int input(int i) { return first_input() + i / 2 * 16 + 4 * t(); }

 private:
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int g() { return lane() / 4; }
  static __device__ int t() { return lane() % 4; }
  static __device__ int first_unit() { return static_cast<int>(threadIdx.x) / 32 % 2 * 16; }
  static __device__ int first_input() { return static_cast<int>(threadIdx.x) / 64 % 2 * 32; }

  static __device__ void read_pair(const float* from, std::uint32_t& first, std::uint32_t& second) {
    const auto pair = *reinterpret_cast<const float2*>(from);
    first = __float_as_uint(pair.x);
    second = __float_as_uint(pair.y);
  }

  float sum_[2][2][4] = {};  // [16 inputs][even or odd][...]
};

// A warp has 16 units by 32 inputs, as four products of eight columns. ldmatrix transposes the rows of the
// batch, which lie along k. Two neighbouring lanes have two neighbouring inputs of each of two products; they
// swap, so that each has four of one.
template <typename T>
class HalfUpdate {
 public:
  using Operands = HalfOperands<T>;
  static constexpr int step = 16;

  __device__ void add_rows(const T* gradients, const T* inputs, int row, int end) {
    const T* dy =
        gradients + (row + lane() % 8 + lane() / 16 * 8) * gradient_line + first_unit() + lane() / 8 % 2 * 8;
    const T* x = inputs + (row + lane() % 16) * input_line + first_input() + lane() / 16 * 8;
    std::uint32_t a_place = shared_address(dy);
    std::uint32_t b_place = shared_address(x);
#pragma unroll 2
    for (; row < end; row += step) {
      std::uint32_t a[4];
      std::uint32_t b[4][2];
      load_blocks_transposed(a_place, a[0], a[1], a[2], a[3]);
      load_blocks_transposed(b_place, b[0][0], b[0][1], b[1][0], b[1][1]);
      load_blocks_transposed(b_place + 16 * sizeof(T), b[2][0], b[2][1], b[3][0], b[3][1]);
#pragma unroll
      for (int i = 0; i < 4; ++i) multiply_16_bits<T>(a, b[i], sum_[i]);
      a_place += step * gradient_line * sizeof(T);
      b_place += step * input_line * sizeof(T);
    }
  }
  // By all lanes of a warp.
  __device__ Quad quad(int i) const {
    const float(&first)[4] = sum_[i / 2 * 2];
    const float(&second)[4] = sum_[i / 2 * 2 + 1];
    const int at = i % 2 * 2;
    Quad quad;
#pragma unroll
    for (int u = 0; u < 2; ++u) {
      const float given = is_second() ? first[at + u] : second[at + u];
      const float other = __shfl_xor_sync(0xFFFFFFFFu, given, 1);
      quad.unit[u] = is_second() ? other : first[at + u];
      quad.unit[2 + u] = is_second() ? second[at + u] : other;
    }
    return quad;
  }
  static __device__ int unit(int i) { return first_unit() + lane() / 4 + i % 2 * 8; }
  static __device__ int input(int i) {
    return first_input() + i / 2 * 16 + lane() % 2 * 8 + lane() / 2 % 2 * 4;
  }

 private:
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ bool is_second() { return lane() % 2 != 0; }  // has inputs of the second of two products
  static __device__ int first_unit() { return static_cast<int>(threadIdx.x) / 32 % 2 * 16; }
  static __device__ int first_input() { return static_cast<int>(threadIdx.x) / 64 % 2 * 32; }

  float sum_[4][4] = {};
};

template <typename Operands>
struct UpdateOf;
template <>
struct UpdateOf<Fp32Operands> {
  using Products = Fp32Update;
};
template <>
struct UpdateOf<Tf32Operands> {
  using Products = Tf32Update;
};
template <typename T>
struct UpdateOf<HalfOperands<T>> {
  using Products = HalfUpdate<T>;
};

}  // namespace breakeven
