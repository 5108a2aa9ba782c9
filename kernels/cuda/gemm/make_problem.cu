// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "kernels/cuda/gemm/make_problem.h"
#include "kernels/cuda/gemm/problem.cuh"

namespace breakeven {
namespace {

bool starts_chunks(const ConstMatrix& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0 &&
         matrix.ld * bytes_of(matrix.dtype) % 16 == 0;
}

bool all_on_border(std::initializer_list<const void*> floats) {
  for (const void* data : floats) {
    if (!on_border(data)) return false;
  }
  return true;
}

// Fills in what the epilogue needs other than C.
struct Fill {
  const Product& p;
  CudaStream& stream;
  EpilogueArguments& to;

  void operator()(const StoreProduct&) { to.kind = EpilogueKind::store; }
  void operator()(const AddBias& e) {
    to.kind = EpilogueKind::add_bias;
    to.bias = e.bias;
    to.vectorised = to.vectorised && on_border(e.bias);
  }
  void operator()(const BiasReluDropout& e) {
    to.kind = EpilogueKind::bias_relu_dropout;
    to.bias = e.bias;
    to.mask = mask_of(e.dropout);
    to.state = const_cast<StepState*>(e.state);  // this epilogue only reads it
    to.vectorised = to.vectorised && on_border(e.bias);
  }
  void operator()(const SquaredErrorLoss& e) {
    const double values = static_cast<double>(e.global_batch) * static_cast<double>(p.c.cols);
    const ReductionScratch scratch = stream.reduction_scratch();
    to.kind = EpilogueKind::squared_error;
    to.bias = e.bias;
    to.state = e.state;
    to.operands = e.target.data;
    to.operands_ld = e.target.ld;
    to.gradient_scale = static_cast<float>(2.0 / values);
    to.loss_scale = 1.0 / values;
    to.losses = e.losses.data();
    to.loss_slots = static_cast<std::uint32_t>(e.losses.size());
    to.loss_sums = {static_cast<double*>(scratch.parts), scratch.arrived};
    to.vectorised = to.vectorised && on_border(e.bias) && on_border(e.target);
  }
  void operator()(const ReluDropoutBackward& e) {
    to.kind = EpilogueKind::relu_backward;
    to.state = e.state;
    to.operands = e.h.data;
    to.operands_ld = e.h.ld;
    to.mask.kept_scale = kept_scale(e.rate);
    to.vectorised = to.vectorised && on_border(e.h);
  }
  void operator()(const WeightGradient& e) {
    to.kind = EpilogueKind::weight_gradient;
    to.state = const_cast<StepState*>(e.state);
    to.bias_gradient = e.bias_gradient;
  }
  void operator()(const AdamUpdate& e) {
    to.kind = EpilogueKind::adam;
    to.state = const_cast<StepState*>(e.state);
    to.adam = e.settings;
    to.weight = e.weight;
    to.working_weight = e.working_weight;
    to.bias_arrays = e.bias;
    to.bias_gradient = e.keep_gradient ? e.bias_gradient : nullptr;
    to.vectorised = to.vectorised && all_on_border({e.weight.parameter, e.weight.first_moment,
                                                    e.weight.second_moment, e.working_weight});
  }
};

}  // namespace

GemmProblem make_problem(const Product& p, CudaStream& stream) {
  const GemmShape shape = shape_of(p);
  GemmProblem problem{};
  problem.a = p.a.data;
  problem.b = p.b.data;
  problem.c = p.c.data;
  problem.dtype = p.a.dtype;
  problem.c_dtype = p.c.dtype;
  problem.b_is_early = p.b_is_early;
  problem.sums_rows = true;
  problem.copies_of_16_bytes = starts_chunks(p.a) && starts_chunks(p.b);
  problem.lda = p.a.ld;
  problem.ldb = p.b.ld;
  problem.ldc = p.c.ld;
  problem.m = static_cast<int>(shape.m);
  problem.n = static_cast<int>(shape.n);
  problem.k = static_cast<int>(shape.k);
  problem.epilogue.vectorised = on_border(p.c);
  std::visit(Fill{p, stream, problem.epilogue}, p.epilogue);
  return problem;
}

}  // namespace breakeven
