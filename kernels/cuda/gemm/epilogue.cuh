// SPDX-License-Identifier: Apache-2.0
// What becomes of the sums of a product, four neighbouring columns of a row at a time. Each kind first loads
// what it needs beside the sum, so that a thread can have the loads of many quads in flight at once, and then
// finishes: no store stands between them.
#pragma once

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/dropout.cuh"
#include "kernels/cuda/gemm/problem.cuh"
#include "kernels/cuda/loss_scale.cuh"

namespace breakeven {

// C is of element T.
template <typename T>
struct StoreEpilogue {
  struct Beside {};
  const GemmProblem& p;

  __device__ explicit StoreEpilogue(const GemmProblem& problem) : p(problem) {}
  __device__ Beside load(int, int) const { return {}; }
  __device__ void finish(int row, int col, const Quad& sum, const Beside&) {
    store_quad(static_cast<T*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
};

template <typename T>
struct AddBiasEpilogue {
  using Beside = Quad;
  const GemmProblem& p;

  __device__ explicit AddBiasEpilogue(const GemmProblem& problem) : p(problem) {}
  __device__ Beside load(int, int col) const {
    return load_quad(p.epilogue.bias + col, p.n - col, p.epilogue.vectorised);
  }
  __device__ void finish(int row, int col, Quad sum, const Beside& bias) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] += bias.unit[i];
    store_quad(static_cast<T*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
};

template <typename T>
struct BiasReluDropoutEpilogue {
  using Beside = Quad;
  const GemmProblem& p;
  std::uint32_t step;

  __device__ explicit BiasReluDropoutEpilogue(const GemmProblem& problem)
      : p(problem), step(problem.epilogue.state->step) {}
  __device__ Beside load(int, int col) const {
    return load_quad(p.epilogue.bias + col, p.n - col, p.epilogue.vectorised);
  }
  __device__ void finish(int row, int col, Quad sum, const Beside& bias) {
    bias_relu_dropout(p.epilogue.mask, step, row, col, bias, sum);
    store_quad(static_cast<T*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
};

template <typename T>
struct SquaredErrorEpilogue {
  struct Beside {
    Quad bias, target;
  };
  const GemmProblem& p;
  float scale;
  double squares = 0;  // this thread's

  __device__ explicit SquaredErrorEpilogue(const GemmProblem& problem)
      : p(problem), scale(problem.epilogue.gradient_scale * problem.epilogue.state->loss_scale) {}
  __device__ Beside load(int row, int col) const {
    const EpilogueArguments& e = p.epilogue;
    const float* target = static_cast<const float*>(e.beside) + row * e.beside_ld + col;
    return {load_quad(e.bias + col, p.n - col, e.vectorised), load_quad(target, p.n - col, e.vectorised)};
  }
  __device__ void finish(int row, int col, Quad sum, const Beside& beside) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float difference = sum.unit[i] + beside.bias.unit[i] - beside.target.unit[i];
      if (col + i < p.n) squares += static_cast<double>(difference) * difference;
      sum.unit[i] = scale * difference;
    }
    tell_overflow(p.epilogue.state, !stays_finite<T>(sum));
    store_quad(static_cast<T*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
};

template <typename T>
struct ReluBackwardEpilogue {
  using Beside = Quad;
  const GemmProblem& p;

  __device__ explicit ReluBackwardEpilogue(const GemmProblem& problem) : p(problem) {}
  __device__ Beside load(int row, int col) const {
    const EpilogueArguments& e = p.epilogue;
    return load_quad(static_cast<const T*>(e.beside) + row * e.beside_ld + col, p.n - col, e.vectorised);
  }
  __device__ void finish(int row, int col, Quad sum, const Beside& activation) {
    relu_dropout_backward(activation, p.epilogue.mask.kept_scale, sum);
    tell_overflow(p.epilogue.state, !stays_finite<T>(sum));
    store_quad(static_cast<T*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
};

// The sums over k of a row of A, which is a column of dY, are the gradient of a bias: `finish_row`.
struct WeightGradientEpilogue {
  struct Beside {};
  const GemmProblem& p;
  float scale;

  __device__ explicit WeightGradientEpilogue(const GemmProblem& problem)
      : p(problem), scale(inverse_loss_scale(*problem.epilogue.state)) {}
  __device__ Beside load(int, int) const { return {}; }
  __device__ void finish(int row, int col, Quad sum, const Beside&) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] *= scale;
    store_quad(static_cast<float*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
  }
  __device__ void finish_row(int row, float sum) { p.epilogue.bias_gradient[row] = sum * scale; }
};

template <typename Working>
struct AdamEpilogue {
  struct Beside {
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
  __device__ Beside load(int row, int col) const {
    const AdamArrays& w = p.epilogue.weight;
    const std::int64_t at = row * p.ldc + col;
    const bool vectorised = p.epilogue.vectorised;
    return {load_quad(w.parameter + at, p.n - col, vectorised),
            load_quad(w.first_moment + at, p.n - col, vectorised),
            load_quad(w.second_moment + at, p.n - col, vectorised)};
  }
  __device__ void finish(int row, int col, Quad sum, Beside& beside) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] *= scale;
    if (p.epilogue.bias_gradient != nullptr) {
      store_quad(static_cast<float*>(p.c) + row * p.ldc + col, p.n - col, p.epilogue.vectorised, sum);
    }
    if (skipped) return;
    adam_update(factors, sum, beside.parameter, beside.first_moment, beside.second_moment);
    const AdamArrays& w = p.epilogue.weight;
    const std::int64_t at = row * p.ldc + col;
    const bool vectorised = p.epilogue.vectorised;
    store_quad(w.parameter + at, p.n - col, vectorised, beside.parameter);
    store_quad(w.first_moment + at, p.n - col, vectorised, beside.first_moment);
    store_quad(w.second_moment + at, p.n - col, vectorised, beside.second_moment);
    if (p.epilogue.working_weight == nullptr) return;
    store_quad(static_cast<Working*>(p.epilogue.working_weight) + at, p.n - col, vectorised,
               beside.parameter);
  }
  __device__ void finish_row(int row, float sum) {
    if (p.epilogue.bias_gradient != nullptr) p.epilogue.bias_gradient[row] = sum * scale;
    if (skipped) return;
    const AdamArrays& b = p.epilogue.bias_arrays;
    adam_update(factors, sum * scale, b.parameter[row], b.first_moment[row], b.second_moment[row]);
  }
};

}  // namespace breakeven
