// SPDX-License-Identifier: Apache-2.0
// What a step can know of the next one: the rows of its batch, which take long to draw. They are asked into
// the L2 cache too.
#pragma once

#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/sample_order.h"

namespace breakeven {

__device__ inline void ask_for_row(const ConstMatrix& samples, std::uint32_t sample) {
  const float* row = samples.floats() + sample * samples.ld;
  for (int line = static_cast<int>(threadIdx.x) % 32; line * 32 < samples.ld; line += 32) {
    asm volatile("prefetch.global.L2 [%0];\n" ::"l"(row + line * 32));
  }
}

// By one block of later_layers, which no other block waits for. The notes may be written once first_layer has
// read them: it is the predecessor.
__device__ inline void draw_ahead(const NetworkArguments& net) {
  constexpr int most = static_cast<int>(StepNotes::most_rows) / later_threads;
  const std::uint32_t next = __ldcg(&net.state->step) + 1;
  const auto samples = static_cast<std::uint32_t>(net.source.features.rows);
  std::uint32_t sample[most];
#pragma unroll
  for (int i = 0; i < most; ++i) {
    const int row = static_cast<int>(threadIdx.x) + i * later_threads;
    if (row >= net.rows) continue;
    const std::uint64_t position = std::uint64_t{next} * net.source.global_batch + net.source.first_sample +
                                   static_cast<std::uint64_t>(row);
    sample[i] = sample_at(net.source.seed, position, samples);
  }
  start_after_predecessor();
  StepNotes& notes = *net.notes;
#pragma unroll
  for (int i = 0; i < most; ++i) {
    const int row = static_cast<int>(threadIdx.x) + i * later_threads;
    if (row < net.rows) notes.sample[row] = sample[i];
  }
  if (threadIdx.x == 0) {
    notes.factors = adam_factors(net.adam, *net.state);
    notes.seed = net.source.seed;
    notes.number = next + 1;
    notes.global_batch = net.source.global_batch;
    notes.first_sample = net.source.first_sample;
    notes.samples = samples;
  }
  __syncthreads();  // a warp asks for a row
  for (int row = static_cast<int>(threadIdx.x) / 32; row < net.rows; row += later_warps) {
    const std::uint32_t drawn = notes.sample[row];
    ask_for_row(net.source.features, drawn);
    ask_for_row(net.source.targets, drawn);
  }
}

}  // namespace breakeven
