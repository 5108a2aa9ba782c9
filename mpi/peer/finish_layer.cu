// SPDX-License-Identifier: Apache-2.0
// A one-shot all-reduce of a layer's partial products, and the layer's epilogue by the sums, in one kernel.
#include <type_traits>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/dropout.cuh"
#include "kernels/cuda/loss_scale.cuh"
#include "mpi/peer/add_over_ranks.cuh"
#include "mpi/peer/exchange.h"

namespace breakeven::peer {
namespace {

// Each finishes the units [col, col + 4) of a row, of which `left` are not padding, to be stored as T.
struct AddTheBias {
  const float* bias;
  bool vectorised;

  template <typename T>
  __device__ void finish(std::int64_t, std::int64_t col, std::int64_t left, Quad& value) const {
    const Quad offset = load_quad(bias + col, left, vectorised);
#pragma unroll
    for (int i = 0; i < 4; ++i) value.unit[i] += offset.unit[i];
  }
};

struct HiddenLayer {
  const float* bias;
  bool vectorised;
  DropoutMask mask;
  StepState* state;

  template <typename T>
  __device__ void finish(std::int64_t row, std::int64_t col, std::int64_t left, Quad& value) const {
    bias_relu_dropout(mask, state->step, row, col, load_quad(bias + col, left, vectorised), value);
    if constexpr (std::is_same_v<T, half>) tell_overflow(state, !stays_finite<T>(value));
  }
};

struct DataGradient {
  ConstMatrix h;  // of T
  float kept_scale;
  StepState* state;

  template <typename T>
  __device__ void finish(std::int64_t row, std::int64_t col, std::int64_t, Quad& value) const {
    relu_dropout_backward(load_quad(h.as<T>() + row * h.ld + col), kept_scale, value);
    tell_overflow(state, !stays_finite<T>(value));
  }
};

template <typename T, typename Layer>
__global__ __launch_bounds__(threads) void peer_finish_kernel(const __grid_constant__ Group group,
                                                              const float* sums, std::int64_t first,
                                                              std::int64_t count, Matrix finished,
                                                              const __grid_constant__ Layer layer) {
  add_over_ranks(group, sums + first, count, true, [&](std::int64_t place, Quad value) {
    const std::int64_t at = first + place, row = at / finished.ld, col = at - row * finished.ld;
    const std::int64_t left = finished.cols - col;
    const Quad sum = value;
    if (left > 0) layer.template finish<T>(row, col, left, value);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i >= left) value.unit[i] = sum.unit[i];  // padding
    store_quad(finished.as<T>() + at, value);
  });
}

}  // namespace

bool can_finish(const Epilogue& epilogue, const Matrix& sums, const Matrix& finished) {
  const auto* backward = std::get_if<ReluDropoutBackward>(&epilogue);
  const bool reads_h = backward == nullptr || (backward->h.dtype == finished.dtype &&
                                               backward->h.ld == finished.ld && on_border(backward->h));
  const bool is_known = backward != nullptr || std::holds_alternative<AddBias>(epilogue) ||
                        std::holds_alternative<BiasReluDropout>(epilogue);
  return is_known && reads_h && sums.ld == finished.ld && on_border(sums) && on_border(finished);
}

void all_reduce_and_finish(const Group& group, const float* sums, std::int64_t first, std::int64_t count,
                           const Epilogue& epilogue, const Matrix& finished, cudaStream_t stream) {
  const auto launch = [&](const auto& of_layer) {
    with_dtype(finished.dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      peer_finish_kernel<T>
          <<<inbox_blocks(count), threads, 0, stream>>>(group, sums, first, count, finished, of_layer);
    });
  };
  if (const auto* output = std::get_if<AddBias>(&epilogue))
    launch(AddTheBias{output->bias, on_border(output->bias)});
  else if (const auto* hidden = std::get_if<BiasReluDropout>(&epilogue))
    launch(HiddenLayer{hidden->bias, on_border(hidden->bias), mask_of(hidden->dropout), hidden->state});
  else if (const auto* backward = std::get_if<ReluDropoutBackward>(&epilogue))
    launch(DataGradient{backward->h, kept_scale(backward->rate), backward->state});
  CHECK_LAUNCH("peer_finish_kernel", count, finished.ld);
}

}  // namespace breakeven::peer
