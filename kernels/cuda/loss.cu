// SPDX-License-Identifier: Apache-2.0
// The two losses and their gradients, each in one launch. Sums are in double and in a fixed order.
#include <limits>
#include <string>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/loss_scale.cuh"
#include "kernels/cuda/quad.cuh"
#include "kernels/cuda/reduction.cuh"
#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// Stores the scaled sum in the slot of the current step.
struct LossSlot {
  float* losses;
  std::uint32_t slots;
  double scale;
  const StepState* state;

  __device__ void store(double sum) const { losses[state->step % slots] = static_cast<float>(sum * scale); }
};

LossSlot slot_for(std::span<float> losses, double scale, const StepState* state) {
  if (losses.empty()) {
    throw misused_call("loss", __FILE__, __LINE__, "no slot to store it in");
  }
  return {losses.data(), static_cast<std::uint32_t>(losses.size()), scale, state};
}

// One warp per row.
constexpr int mse_warps = 8;

template <typename Output, typename Gradient>
__global__ __launch_bounds__(32 * mse_warps) void mean_squared_error_kernel(ConstMatrix y, ConstMatrix target,
                                                                            float gradient_scale,
                                                                            StepState* state, Matrix dy,
                                                                            bool vectorised, LossSlot slot,
                                                                            ReductionScratch scratch) {
  const std::int64_t warp = std::int64_t{blockIdx.x} * mse_warps + threadIdx.x / 32;
  const std::int64_t warps = std::int64_t{gridDim.x} * mse_warps;
  const float scale = gradient_scale * state->loss_scale;
  double sum = 0;
  bool overflowed = false;
  for (std::int64_t row = warp; row < y.rows; row += warps) {
    for (std::int64_t col = 4 * (threadIdx.x % 32); col < y.cols; col += 4 * 32) {
      const std::int64_t left = y.cols - col;
      const Quad output = load_quad(y.as<Output>() + row * y.ld + col, left, vectorised);
      const Quad wanted = load_quad(target.floats() + row * target.ld + col, left, vectorised);
      Quad gradient;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float difference = output.unit[i] - wanted.unit[i];  // 0 beyond the last column
        gradient.unit[i] = scale * difference;
        sum += static_cast<double>(difference) * difference;
      }
      overflowed = overflowed || !stays_finite<Gradient>(gradient);
      store_quad(dy.as<Gradient>() + row * dy.ld + col, left, vectorised, gradient);
    }
  }
  tell_overflow(state, overflowed);
  double total = 0;
  if (grid_sum<mse_warps>(sum, scratch, &total)) slot.store(total);
}

// One block per row. An invalid class number makes the row's gradient and the loss NaN: a wrong label must
// not train silently.
constexpr int softmax_warps = 4;

// Loss of the row. Sets `overflowed` if a stored gradient is not finite. dy may be y itself.
template <typename Output, typename Gradient>
__device__ double softmax_row(const Output* y, float label, std::int64_t classes, double scale, Gradient* dy,
                              bool& overflowed) {
  constexpr int threads = 32 * softmax_warps;
  const bool is_class = label >= 0 && label < static_cast<float>(classes) && label == floorf(label);
  const float label_logit = is_class ? to_float(y[static_cast<std::int64_t>(label)]) : not_a_number;

  float largest = minus_infinity;  // subtracted, so exp cannot overflow
  for (std::int64_t i = threadIdx.x; i < classes; i += threads) largest = fmaxf(largest, to_float(y[i]));
  largest = block_reduce<softmax_warps>(largest, Larger{});

  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < classes; i += threads) sum += expf(to_float(y[i]) - largest);
  sum = block_reduce<softmax_warps>(sum, Add{});

  const double log_probability = static_cast<double>(label_logit) - largest - log(sum);
  const float share = is_class ? static_cast<float>(scale / sum) : not_a_number;
  for (std::int64_t i = threadIdx.x; i < classes; i += threads) {
    const bool is_label = static_cast<float>(i) == label;
    const float gradient =
        is_label ? static_cast<float>(expm1(log_probability) * scale)  // p - 1 without cancellation
                 : expf(to_float(y[i]) - largest) * share;
    overflowed = overflowed || !stays_finite<Gradient>(gradient);
    dy[i] = from_float<Gradient>(gradient);
  }
  return -log_probability;
}

template <typename Output, typename Gradient>
__global__ __launch_bounds__(32 * softmax_warps) void softmax_cross_entropy_kernel(
    ConstMatrix y, ConstMatrix target, double gradient_scale, StepState* state, Matrix dy, LossSlot slot,
    ReductionScratch scratch) {
  const double scale = gradient_scale * state->loss_scale;
  double sum = 0;
  bool overflowed = false;
  for (std::int64_t row = blockIdx.x; row < y.rows; row += gridDim.x) {
    const float label = target.floats()[row * target.ld];
    const double of_row = softmax_row(y.as<Output>() + row * y.ld, label, y.cols, scale,
                                      dy.as<Gradient>() + row * dy.ld, overflowed);
    if (threadIdx.x == 0) sum += of_row;
  }
  tell_overflow(state, overflowed);
  double total = 0;
  if (grid_sum<softmax_warps>(sum, scratch, &total)) slot.store(total);
}

// One thread: `parts` has one value per micro-batch.
__global__ void total_of_losses_kernel(const float* parts, std::size_t count, const StepState* state,
                                       float* losses, std::size_t slots) {
  float total = 0;
  for (std::size_t i = 0; i < count; ++i) total += parts[i];
  losses[state->step % slots] = total;
}

}  // namespace

void CudaDevice::mean_squared_error(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                    StepState* state, Matrix dy, std::span<float> losses, Stream& stream) {
  const double values = static_cast<double>(global_batch) * static_cast<double>(y.cols);
  const LossSlot slot = slot_for(losses, 1.0 / values, state);
  const unsigned blocks = blocks_for(y.rows, mse_warps, max_sum_blocks);
  const bool vectorised = on_border(y) && on_border(target) && on_border(dy);
  with_dtypes(y.dtype, dy.dtype, [&](auto y_tag, auto dy_tag) {
    using Output = typename decltype(y_tag)::Type;
    using Gradient = typename decltype(dy_tag)::Type;
    mean_squared_error_kernel<Output, Gradient><<<blocks, 32 * mse_warps, 0, cuda_stream(stream)>>>(
        y, target, static_cast<float>(2.0 / values), state, dy, vectorised, slot, reduction_scratch(stream));
  });
  CHECK_LAUNCH("mean_squared_error_kernel", y.rows, y.cols);
}

void CudaDevice::softmax_cross_entropy(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                       StepState* state, Matrix dy, std::span<float> losses, Stream& stream) {
  const double scale = 1.0 / global_batch;
  const LossSlot slot = slot_for(losses, scale, state);
  const unsigned blocks = blocks_for(y.rows, 1, max_sum_blocks);
  with_dtypes(y.dtype, dy.dtype, [&](auto y_tag, auto dy_tag) {
    using Output = typename decltype(y_tag)::Type;
    using Gradient = typename decltype(dy_tag)::Type;
    softmax_cross_entropy_kernel<Output, Gradient><<<blocks, 32 * softmax_warps, 0, cuda_stream(stream)>>>(
        y, target, scale, state, dy, slot, reduction_scratch(stream));
  });
  CHECK_LAUNCH("softmax_cross_entropy_kernel", y.rows, y.cols);
}

void CudaDevice::total_of_losses(std::span<const float> parts, const StepState* state,
                                 std::span<float> losses, Stream& stream) {
  total_of_losses_kernel<<<1, 1, 0, cuda_stream(stream)>>>(parts.data(), parts.size(), state, losses.data(),
                                                           losses.size());
  CHECK_LAUNCH("total_of_losses_kernel", static_cast<std::int64_t>(parts.size()));
}

}  // namespace breakeven
