// SPDX-License-Identifier: Apache-2.0
// The two optimizers over flat buffers, and what changes from step to step.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/quad.cuh"

namespace breakeven {
namespace {

constexpr int update_threads = 256;

// What Adam's formula needs of the step number: the bias corrections, folded into two factors.
struct AdamFactors {
  float rate;
  float root_scale;
};

__device__ AdamFactors adam_factors(const AdamSettings& settings, const StepState& state) {
  const double correction1 = 1.0 - state.beta1_power * settings.beta1;
  const double correction2 = 1.0 - state.beta2_power * settings.beta2;
  return {static_cast<float>(settings.learning_rate / correction1),
          static_cast<float>(1.0 / sqrt(correction2))};
}

// 28 bytes a parameter: four reads and three writes. Bound by memory from some 10^5 parameters on.
__global__ __launch_bounds__(update_threads) void adam_kernel(std::int64_t count, const float* gradient,
                                                              AdamSettings settings, const StepState* state,
                                                              float* parameter, float* first_moment,
                                                              float* second_moment, bool vectorised) {
  __shared__ AdamFactors factors;  // in double, and so by one thread
  if (threadIdx.x == 0) factors = adam_factors(settings, *state);
  __syncthreads();
  const float fresh1 = 1.0f - settings.beta1;
  const float fresh2 = 1.0f - settings.beta2;
  const std::int64_t first = 4 * (std::int64_t{blockIdx.x} * update_threads + threadIdx.x);
  const std::int64_t stride = 4 * std::int64_t{gridDim.x} * update_threads;
  for (std::int64_t i = first; i < count; i += stride) {
    const std::int64_t left = count - i;
    const Quad g = load_quad(gradient + i, left, vectorised);
    Quad p = load_quad(parameter + i, left, vectorised);
    Quad m = load_quad(first_moment + i, left, vectorised);
    Quad v = load_quad(second_moment + i, left, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      m.unit[j] = settings.beta1 * m.unit[j] + fresh1 * g.unit[j];
      v.unit[j] = settings.beta2 * v.unit[j] + fresh2 * g.unit[j] * g.unit[j];
      p.unit[j] -= factors.rate * m.unit[j] / (sqrtf(v.unit[j]) * factors.root_scale + settings.epsilon);
    }
    store_quad(first_moment + i, left, vectorised, m);
    store_quad(second_moment + i, left, vectorised, v);
    store_quad(parameter + i, left, vectorised, p);
  }
}

__global__ __launch_bounds__(update_threads) void sgd_kernel(std::int64_t count, const float* gradient,
                                                             float learning_rate, float* parameter,
                                                             bool vectorised) {
  const std::int64_t first = 4 * (std::int64_t{blockIdx.x} * update_threads + threadIdx.x);
  const std::int64_t stride = 4 * std::int64_t{gridDim.x} * update_threads;
  for (std::int64_t i = first; i < count; i += stride) {
    const std::int64_t left = count - i;
    const Quad g = load_quad(gradient + i, left, vectorised);
    Quad p = load_quad(parameter + i, left, vectorised);
#pragma unroll
    for (int j = 0; j < 4; ++j) p.unit[j] -= learning_rate * g.unit[j];
    store_quad(parameter + i, left, vectorised, p);
  }
}

// The same products in the same order as on the host: the same bits.
__global__ void advance_step_kernel(AdamSettings settings, StepState* state) {
  state->step += 1;
  state->beta1_power *= settings.beta1;
  state->beta2_power *= settings.beta2;
}

// Enough blocks to hide the latency of memory; their threads stride over the rest.
unsigned update_blocks(std::int64_t count, const DeviceInfo& gpu) {
  constexpr int blocks_per_multiprocessor = 8;
  return blocks_for(count, 4 * update_threads, blocks_per_multiprocessor * gpu.multiprocessors);
}

}  // namespace

void CudaDevice::adam(std::size_t count, const float* gradient, const AdamSettings& settings,
                      const StepState* state, float* parameter, float* first_moment, float* second_moment,
                      Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  const bool vectorised =
      on_border(gradient) && on_border(parameter) && on_border(first_moment) && on_border(second_moment);
  adam_kernel<<<update_blocks(floats, info_), update_threads, 0, cuda_stream(stream)>>>(
      floats, gradient, settings, state, parameter, first_moment, second_moment, vectorised);
  CHECK_LAUNCH("adam_kernel", floats);
}

void CudaDevice::sgd(std::size_t count, const float* gradient, float learning_rate, float* parameter,
                     Stream& stream) {
  if (count == 0) return;
  const auto floats = static_cast<std::int64_t>(count);
  sgd_kernel<<<update_blocks(floats, info_), update_threads, 0, cuda_stream(stream)>>>(
      floats, gradient, learning_rate, parameter, on_border(gradient) && on_border(parameter));
  CHECK_LAUNCH("sgd_kernel", floats);
}

void CudaDevice::advance_step(const AdamSettings& settings, StepState* state, Stream& stream) {
  advance_step_kernel<<<1, 1, 0, cuda_stream(stream)>>>(settings, state);
  CHECK_LAUNCH("advance_step_kernel");
}

}  // namespace breakeven
