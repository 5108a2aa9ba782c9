// SPDX-License-Identifier: Apache-2.0
// Bias, ReLU and dropout of a hidden layer in one pass, and the way back.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"
#include "kernels/philox.h"

namespace breakeven {
namespace {

// Written so that NaN stays NaN: max(0, x) would hide it.
__device__ float relu(float value) { return value <= 0 ? 0.0f : value; }

struct Mask {
  Dropout dropout;
  std::uint32_t threshold;
  float scale;
};

__global__ void bias_relu_dropout_kernel(const float* bias, Mask mask, const StepState* state, Matrix h,
                                         bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= h.cols) return;
  const std::int64_t left = h.cols - col;
  const Quad offset = load_quad(bias + col, left, vectorised);
  const std::uint32_t step = state->step;
  for (std::int64_t row = quad_row(); row < h.rows; row += quad_rows()) {
    float* place = h.data + row * h.ld + col;
    Quad value = load_quad(place, left, vectorised);
#pragma unroll
    for (int i = 0; i < 4; ++i) value.unit[i] = relu(value.unit[i] + offset.unit[i]);
    if (mask.dropout.rate > 0) {
      const Dropout& d = mask.dropout;
      const Philox4 words =
          random_words(d.seed, RandomUse::dropout, step, d.layer,
                       d.first_sample + static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col / 4));
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        value.unit[i] = words.word[i] >= mask.threshold ? value.unit[i] * mask.scale : 0.0f;
      }
    }
    store_quad(place, left, vectorised, value);
  }
}

__global__ void relu_dropout_backward_kernel(ConstMatrix h, float scale, Matrix dh, bool vectorised) {
  const std::int64_t col = quad_col();
  if (col >= dh.cols) return;
  const std::int64_t left = dh.cols - col;
  for (std::int64_t row = quad_row(); row < dh.rows; row += quad_rows()) {
    const Quad activation = load_quad(h.data + row * h.ld + col, left, vectorised);
    float* place = dh.data + row * dh.ld + col;
    Quad gradient = load_quad(place, left, vectorised);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      gradient.unit[i] = activation.unit[i] != 0 ? gradient.unit[i] * scale : 0.0f;
    }
    store_quad(place, left, vectorised, gradient);
  }
}

float kept_scale(float rate) { return 1.0f / (1.0f - rate); }

}  // namespace

void CudaDevice::bias_relu_dropout(const float* bias, const Dropout& dropout, const StepState* state,
                                   Matrix h, Stream& stream) {
  if (h.rows == 0 || h.cols == 0) return;
  const Mask mask{dropout, drop_threshold(dropout.rate), kept_scale(dropout.rate)};
  bias_relu_dropout_kernel<<<quad_grid(h.rows, h.cols), quad_block(), 0, cuda_stream(stream)>>>(
      bias, mask, state, h, on_border(bias) && on_border(h));
  CHECK_LAUNCH("bias_relu_dropout_kernel", h.rows, h.cols);
}

void CudaDevice::relu_dropout_backward(ConstMatrix h, float rate, Matrix dh, Stream& stream) {
  if (dh.rows == 0 || dh.cols == 0) return;
  relu_dropout_backward_kernel<<<quad_grid(dh.rows, dh.cols), quad_block(), 0, cuda_stream(stream)>>>(
      h, kept_scale(rate), dh, on_border(h) && on_border(dh));
  CHECK_LAUNCH("relu_dropout_backward_kernel", dh.rows, dh.cols);
}

}  // namespace breakeven
