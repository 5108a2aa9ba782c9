// SPDX-License-Identifier: Apache-2.0
// The epilogues of a product, four consecutive columns of a row at a time. Each first loads its other inputs,
// so a thread can have the loads of several quads in flight (`together`), and then finishes them: no store
// between loads.
#pragma once

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/dropout.cuh"
#include "kernels/cuda/gemm/problem.cuh"
#include "kernels/cuda/loss_scale.cuh"

namespace breakeven {

// A quad at column `col`. A `whole` quad lies within C and is aligned; the caller has checked that for its
// part of C, so there is no branch between its loads.
template <bool whole, typename T>
__device__ Quad load_part(const GemmProblem& p, const T* from, int col) {
  if constexpr (whole) return load_quad(from);
  return load_quad(from, p.n - col, p.epilogue.vectorised);
}
template <bool whole, typename T>
__device__ void store_part(const GemmProblem& p, T* to, int col, const Quad& quad) {
  if constexpr (whole) {
    store_quad(to, quad);
  } else {
    store_quad(to, p.n - col, p.epilogue.vectorised, quad);
  }
}

// C has type T.
template <typename T>
struct StoreEpilogue {
  static constexpr int together = 1;
  struct Operands {};
  const GemmProblem& p;

  __device__ explicit StoreEpilogue(const GemmProblem& problem) : p(problem) {}
  template <bool whole = false>
  __device__ Operands load(int, int) const {
    return {};
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, const Quad& sum, const Operands&) {
    store_part<whole>(p, static_cast<T*>(p.c) + row * p.ldc + col, col, sum);
  }
};

template <typename T>
struct AddBiasEpilogue {
  static constexpr int together = 2;
  using Operands = Quad;
  const GemmProblem& p;

  __device__ explicit AddBiasEpilogue(const GemmProblem& problem) : p(problem) {}
  template <bool whole = false>
  __device__ Operands load(int, int col) const {
    return load_part<whole>(p, p.epilogue.bias + col, col);
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, const Operands& bias) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] += bias.unit[i];
    store_part<whole>(p, static_cast<T*>(p.c) + row * p.ldc + col, col, sum);
  }
};

template <typename T>
struct BiasReluDropoutEpilogue {
  static constexpr int together = 2;
  using Operands = Quad;
  const GemmProblem& p;
  std::uint32_t step;

  __device__ explicit BiasReluDropoutEpilogue(const GemmProblem& problem)
      : p(problem), step(problem.epilogue.state->step) {}
  template <bool whole = false>
  __device__ Operands load(int, int col) const {
    return load_part<whole>(p, p.epilogue.bias + col, col);
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, const Operands& bias) {
    bias_relu_dropout(p.epilogue.mask, step, row, col, bias, sum);
    if constexpr (std::is_same_v<T, half>) tell_overflow(p.epilogue.state, !stays_finite<T>(sum));
    store_part<whole>(p, static_cast<T*>(p.c) + row * p.ldc + col, col, sum);
  }
};

template <typename T>
struct SquaredErrorEpilogue {
  static constexpr int together = 2;
  struct Operands {
    Quad bias, target;
  };
  const GemmProblem& p;
  float scale;
  double squares = 0;  // of this thread

  __device__ explicit SquaredErrorEpilogue(const GemmProblem& problem)
      : p(problem), scale(problem.epilogue.gradient_scale * problem.epilogue.state->loss_scale) {}
  template <bool whole = false>
  __device__ Operands load(int row, int col) const {
    const EpilogueArguments& e = p.epilogue;
    const float* target = static_cast<const float*>(e.operands) + row * e.operands_ld + col;
    return {load_part<whole>(p, e.bias + col, col), load_part<whole>(p, target, col)};
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, const Operands& operands) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float difference = sum.unit[i] + operands.bias.unit[i] - operands.target.unit[i];
      if (col + i < p.n) squares += static_cast<double>(difference) * difference;
      sum.unit[i] = scale * difference;
    }
    tell_overflow(p.epilogue.state, !stays_finite<T>(sum));
    store_part<whole>(p, static_cast<T*>(p.c) + row * p.ldc + col, col, sum);
  }
};

template <typename T>
struct ReluBackwardEpilogue {
  static constexpr int together = 2;
  using Operands = Quad;
  const GemmProblem& p;

  __device__ explicit ReluBackwardEpilogue(const GemmProblem& problem) : p(problem) {}
  template <bool whole = false>
  __device__ Operands load(int row, int col) const {
    const EpilogueArguments& e = p.epilogue;
    return load_part<whole>(p, static_cast<const T*>(e.operands) + row * e.operands_ld + col, col);
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, const Operands& activation) {
    relu_dropout_backward(activation, p.epilogue.mask.kept_scale, sum);
    tell_overflow(p.epilogue.state, !stays_finite<T>(sum));
    store_part<whole>(p, static_cast<T*>(p.c) + row * p.ldc + col, col, sum);
  }
};

// The sum over k of a row of A, a column of dY, is the gradient of a bias: `finish_row`.
struct WeightGradientEpilogue {
  static constexpr int together = 1;
  struct Operands {};
  const GemmProblem& p;
  float scale;

  __device__ explicit WeightGradientEpilogue(const GemmProblem& problem)
      : p(problem), scale(inverse_loss_scale(*problem.epilogue.state)) {}
  template <bool whole = false>
  __device__ Operands load(int, int) const {
    return {};
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, const Operands&) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] *= scale;
    store_part<whole>(p, static_cast<float*>(p.c) + row * p.ldc + col, col, sum);
  }
  __device__ void finish_row(int row, float sum) { p.epilogue.bias_gradient[row] = sum * scale; }
};

template <typename Working>
struct AdamEpilogue {
  static constexpr int together = 4;
  struct Operands {
    Quad parameter, first_moment, second_moment;
  };
  const GemmProblem& p;
  const AdamFactors& factors;  // in shared memory: computed in double, by one thread
  float scale;
  bool skipped;

  __device__ AdamEpilogue(const GemmProblem& problem, const AdamFactors& of_step)
      : p(problem),
        factors(of_step),
        scale(inverse_loss_scale(*problem.epilogue.state)),
        skipped(problem.epilogue.state->overflow != 0) {}
  template <bool whole = false>
  __device__ Operands load(int row, int col) const {
    const AdamArrays& w = p.epilogue.weight;
    const std::int64_t at = row * p.ldc + col;
    return {load_part<whole>(p, w.parameter + at, col), load_part<whole>(p, w.first_moment + at, col),
            load_part<whole>(p, w.second_moment + at, col)};
  }
  template <bool whole = false>
  __device__ void finish(int row, int col, Quad sum, Operands& operands) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] *= scale;
    if (p.epilogue.bias_gradient != nullptr) {
      store_part<whole>(p, static_cast<float*>(p.c) + row * p.ldc + col, col, sum);
    }
    if (skipped) return;
    adam_update(factors, sum, operands.parameter, operands.first_moment, operands.second_moment);
    const AdamArrays& w = p.epilogue.weight;
    const std::int64_t at = row * p.ldc + col;
    store_part<whole>(p, w.parameter + at, col, operands.parameter);
    store_part<whole>(p, w.first_moment + at, col, operands.first_moment);
    store_part<whole>(p, w.second_moment + at, col, operands.second_moment);
    if (p.epilogue.working_weight == nullptr) return;
    store_part<whole>(p, static_cast<Working*>(p.epilogue.working_weight) + at, col, operands.parameter);
  }
  __device__ void finish_row(int row, float sum) {
    if (p.epilogue.bias_gradient != nullptr) p.epilogue.bias_gradient[row] = sum * scale;
    if (skipped) return;
    const AdamArrays& b = p.epilogue.bias_arrays;
    adam_update(factors, sum * scale, b.parameter[row], b.first_moment[row], b.second_moment[row]);
  }
};

}  // namespace breakeven
