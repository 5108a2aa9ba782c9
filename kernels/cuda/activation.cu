// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout of a hidden layer in one pass, and their backward pass.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/dropout.cuh"
#include "kernels/cuda/loss_scale.cuh"

namespace breakeven {
namespace {

template <typename T>
__global__ void bias_relu_dropout_kernel(const float* bias, DropoutMask mask, StepState* state, Matrix h,
                                         bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= h.cols) return;
  const std::int64_t left = h.cols - col;
  const Quad offset = load_quad(bias + col, left, vectorised);
  const std::uint32_t step = state->step;
  bool overflowed = false;
  for (std::int64_t row = quad_row(); row < h.rows; row += quad_rows()) {
    T* place = h.as<T>() + row * h.ld + col;
    Quad value = load_quad(place, left, vectorised);
    bias_relu_dropout(mask, step, row, col, offset, value);
    overflowed = overflowed || !stays_finite<T>(value);
    store_quad(place, left, vectorised, value);
  }
  tell_overflow(state, overflowed);
}

template <typename Activation, typename Gradient>
__global__ void relu_dropout_backward_kernel(ConstMatrix h, float kept_scale, StepState* state, Matrix dh,
                                             bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= dh.cols) return;
  const std::int64_t left = dh.cols - col;
  bool overflowed = false;
  for (std::int64_t row = quad_row(); row < dh.rows; row += quad_rows()) {
    const Quad activation = load_quad(h.as<Activation>() + row * h.ld + col, left, vectorised);
    Gradient* place = dh.as<Gradient>() + row * dh.ld + col;
    Quad gradient = load_quad(place, left, vectorised);
    relu_dropout_backward(activation, kept_scale, gradient);
    overflowed = overflowed || !stays_finite<Gradient>(gradient);
    store_quad(place, left, vectorised, gradient);
  }
  tell_overflow(state, overflowed);
}

}  // namespace

void CudaDevice::bias_relu_dropout(const float* bias, const Dropout& dropout, StepState* state, Matrix h,
                                   Stream& stream) {
  if (h.rows == 0 || h.cols == 0) return;
  with_dtype(h.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    bias_relu_dropout_kernel<T><<<quad_grid(h.rows, h.cols), quad_block(), 0, cuda_stream(stream)>>>(
        bias, mask_of(dropout), state, h, on_border(bias) && on_border(h));
  });
  CHECK_LAUNCH("bias_relu_dropout_kernel", h.rows, h.cols);
}

void CudaDevice::relu_dropout_backward(ConstMatrix h, float rate, StepState* state, Matrix dh,
                                       Stream& stream) {
  if (dh.rows == 0 || dh.cols == 0) return;
  with_dtypes(h.dtype, dh.dtype, [&](auto h_tag, auto dh_tag) {
    using Activation = typename decltype(h_tag)::Type;
    using Gradient = typename decltype(dh_tag)::Type;
    relu_dropout_backward_kernel<Activation, Gradient>
        <<<quad_grid(dh.rows, dh.cols), quad_block(), 0, cuda_stream(stream)>>>(
            h, kept_scale(rate), state, dh, on_border(h) && on_border(dh));
  });
  CHECK_LAUNCH("relu_dropout_backward_kernel", dh.rows, dh.cols);
}

}  // namespace breakeven
