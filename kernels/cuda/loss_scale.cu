// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling: removes the scale, detects overflow, and ends a step, which sets the next step's
// scale.
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/loss_scale.cuh"

#include <limits>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"

namespace breakeven {
namespace {

template <typename T>
__global__ void remove_loss_scale_kernel(const StepState* state, Matrix values, bool vectorised) {
  const float scale = inverse_loss_scale(*state);
  const std::int64_t col = quad_col();
  if (col >= values.cols || scale == 1) return;
  const std::int64_t left = values.cols - col;
  for (std::int64_t row = quad_row(); row < values.rows; row += quad_rows()) {
    T* place = values.as<T>() + row * values.ld + col;
    Quad quad = load_quad(place, left, vectorised);
#pragma unroll
    for (int i = 0; i < 4; ++i) quad.unit[i] *= scale;
    store_quad(place, left, vectorised, quad);
  }
}

constexpr float not_finite = std::numeric_limits<float>::infinity();
constexpr int search_threads = 256;

__global__ __launch_bounds__(search_threads) void find_overflow_kernel(std::int64_t count,
                                                                       const float* values, bool vectorised,
                                                                       StepState* state) {
  const std::int64_t first = 4 * (std::int64_t{blockIdx.x} * search_threads + threadIdx.x);
  const std::int64_t stride = 4 * std::int64_t{gridDim.x} * search_threads;
  bool overflowed = false;
  for (std::int64_t i = first; i < count; i += stride) {
    const Quad quad = load_quad(values + i, count - i, vectorised);
    overflowed = overflowed || !stays_finite<float>(quad);
  }
  tell_overflow(state, overflowed);
}

__global__ void store_overflow_kernel(const StepState* state, float* value) {
  *value = state->overflow != 0 ? not_finite : 0.0f;
}

__global__ void advance_step_kernel(AdamSettings settings, StepState* state) {
  start_after_predecessor();
  advance(*state, settings.beta1, settings.beta2);
}

}  // namespace

void CudaDevice::remove_loss_scale(const StepState* state, Matrix values, Stream& stream) {
  if (values.rows == 0 || values.cols == 0) return;
  with_dtype(values.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const dim3 grid = quad_grid(values.rows, values.cols);
    remove_loss_scale_kernel<T>
        <<<grid, quad_block(), 0, cuda_stream(stream)>>>(state, values, on_border(values));
  });
  CHECK_LAUNCH("remove_loss_scale_kernel", values.rows, values.cols);
}

void CudaDevice::find_overflow(std::size_t count, const float* values, StepState* state, Stream& stream) {
  constexpr int blocks_per_multiprocessor = 8;
  const auto floats = static_cast<std::int64_t>(count);
  const unsigned blocks =
      blocks_for(floats, 4 * search_threads, blocks_per_multiprocessor * info_.multiprocessors);
  find_overflow_kernel<<<blocks, search_threads, 0, cuda_stream(stream)>>>(floats, values, on_border(values),
                                                                           state);
  CHECK_LAUNCH("find_overflow_kernel", floats);
}

void CudaDevice::store_overflow(const StepState* state, float* value, Stream& stream) {
  store_overflow_kernel<<<1, 1, 0, cuda_stream(stream)>>>(state, value);
  CHECK_LAUNCH("store_overflow_kernel", 1);
}

void CudaDevice::advance_step(const AdamSettings& settings, StepState* state, Stream& stream) {
  launch_early(advance_step_kernel, "advance_step_kernel", 1, 1, dynamic_cast<CudaStream&>(stream), settings,
               state);
}

}  // namespace breakeven
