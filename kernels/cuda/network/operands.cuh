// SPDX-License-Identifier: Apache-2.0
// How a small network's kernels round the operands of their products, and how activations and their gradients
// are stored between the kernels.
//
// TF32 has the exponent of fp32 and ten bits after the point, so it holds every bf16 and every fp16 exactly:
// where operands lie in shared memory as floats, the tensor cores' TF32 multiplies all three.
#pragma once

#include "kernels/cuda/dtype.cuh"
#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

struct Fp32Operands {
  using Stored = float;
  static constexpr bool rounds = false;
  static __device__ float round(float value) { return value; }
};

// Activations are stored rounded, because they are only multiplied; gradients are not, because a bias's
// gradient is their sum.
struct Tf32Operands {
  using Stored = float;
  static constexpr bool rounds = true;
  static __device__ float round(float value) {
    return __uint_as_float(round_to_tf32(__float_as_uint(value)));
  }
};

template <typename T>
struct HalfOperands {
  using Stored = T;
  static constexpr bool rounds = true;
  static __device__ float round(float value) { return to_float(from_float<T>(value)); }
};
using Bf16Operands = HalfOperands<__nv_bfloat16>;
using Fp16Operands = HalfOperands<__half>;

template <typename Operands>
inline constexpr bool stores_16_bits = sizeof(typename Operands::Stored) == 2;
// See step_state.h.
template <typename Operands>
inline constexpr bool scales_loss = std::is_same_v<Operands, Fp16Operands>;

template <typename Operands>
__device__ Quad rounded(const Quad& quad) {
  Quad result;
#pragma unroll
  for (int i = 0; i < 4; ++i) result.unit[i] = Operands::round(quad.unit[i]);
  return result;
}

// What products read of a layer's weights.
template <typename Operands>
__device__ const typename Operands::Stored* weights_of(const LayerArguments& layer) {
  if constexpr (stores_16_bits<Operands>) {
    return static_cast<const typename Operands::Stored*>(layer.working_weight);
  } else {
    return layer.weight.parameter;
  }
}

// Four neighbouring operands of a product's row.
template <typename Operands>
using OperandQuad = StoredQuad<typename Operands::Stored>;

template <typename Operands>
__device__ OperandQuad<Operands> operand_quad(const Quad& quad) {
  OperandQuad<Operands> result;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    result.unit[i] = from_float<typename Operands::Stored>(Operands::round(quad.unit[i]));
  }
  return result;
}

// sums += A B for 16 rows of A, 16 k and 8 columns of B, by a warp. Lane 4 g + t has quad t of rows g and
// g + 8 of A, and of column g of B: a permutation of k, so each read is of a whole quad. The sums are those
// of m16n8k8 and m16n8k16, in two independent chains; `step` chooses one where a step needs only one.
__device__ inline void multiply_quads(const StoredQuad<float> (&a)[2], const StoredQuad<float>& b,
                                      int /*step*/, float (&sums)[2][4]) {
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const std::uint32_t of_a[4] = {__float_as_uint(a[0].unit[i]), __float_as_uint(a[1].unit[i]),
                                   __float_as_uint(a[0].unit[i + 1]), __float_as_uint(a[1].unit[i + 1])};
    const std::uint32_t of_b[2] = {__float_as_uint(b.unit[i]), __float_as_uint(b.unit[i + 1])};
    multiply_tf32(of_a, of_b, sums[i / 2]);
  }
}
template <typename T>
__device__ void multiply_quads(const StoredQuad<T> (&a)[2], const StoredQuad<T>& b, int step,
                               float (&sums)[2][4]) {
  const uint2 rows[2] = {*reinterpret_cast<const uint2*>(&a[0]), *reinterpret_cast<const uint2*>(&a[1])};
  const uint2 column = *reinterpret_cast<const uint2*>(&b);
  const std::uint32_t of_a[4] = {rows[0].x, rows[1].x, rows[0].y, rows[1].y};
  const std::uint32_t of_b[2] = {column.x, column.y};
  multiply_16_bits<T>(of_a, of_b, sums[step % 2]);
}

// Calls work(Operands{}) with those of the precision; false if these kernels have none.
template <typename Work>
bool with_operands(Precision precision, const Work& work) {
  switch (precision) {
    case Precision::fp32:
      return work(Fp32Operands{}), true;
    case Precision::tf32:
      return work(Tf32Operands{}), true;
    case Precision::bf16:
      return work(Bf16Operands{}), true;
    case Precision::fp16:
      return work(Fp16Operands{}), true;
    default:
      return false;
  }
}

}  // namespace breakeven
