// SPDX-License-Identifier: Apache-2.0
// Draws the rows of the next step's batch during this step, because that takes long, and prefetches them into
// L2.
#pragma once

#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/loss_scale.cuh"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/sample_order.h"

namespace breakeven {

// The sample in row `row` of a step's batch.
__device__ inline std::uint32_t draw_sample(const BatchSource& source, std::uint32_t step, int row) {
  const std::uint64_t position =
      std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
  return sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
}

// By a warp.
__device__ inline void ask_for_row(const ConstMatrix& samples, std::uint32_t sample) {
  const float* row = samples.floats() + sample * samples.ld;
  for (int line = static_cast<int>(threadIdx.x) % 32; line * 32 < samples.ld; line += 32) {
    asm volatile("prefetch.global.L2 [%0];\n" ::"l"(row + line * 32));
  }
}

// Notes for which step the rows are drawn, and the factors of this step's update. By one thread.
__device__ inline void note_step(const NetworkArguments& net, std::uint32_t next) {
  StepNotes& notes = *net.notes;
  notes.factors = adam_factors(net.adam, *net.state);
  notes.inverse_loss_scale = inverse_loss_scale(*net.state);
  notes.seed = net.source.seed;
  notes.number = next + 1;
  notes.global_batch = net.source.global_batch;
  notes.first_sample = net.source.first_sample;
  notes.samples = static_cast<std::uint32_t>(net.source.features.rows);
}

// An activation of this step, or its gradient, is not finite: no parameter changes. By any thread of the
// first or second kernel. The third kernel reads it in the notes, because its last block sets the state back.
__device__ inline void note_overflow(const NetworkArguments& net) {
  tell_overflow(net.state, true);
  net.notes->overflowed = __ldcg(&net.state->step) + 1;
}

// Draws rows `row`, row + stride... below `end` of step `next`, by one warp of the second kernel for which
// nothing waits. The first kernel has read the notes by then, so they may be written.
__device__ inline void draw_rows_ahead(const NetworkArguments& net, std::uint32_t next, int row, int end,
                                       int stride) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int own = row + lane * stride;
  const std::uint32_t sample = own < end ? draw_sample(net.source, next, own) : 0;
  start_after_predecessor();
  if (own < end) net.notes->sample[own] = sample;
  if (own == 0) note_step(net, next);
  __syncwarp();
  for (int i = 0; row + i * stride < end; ++i) {
    const std::uint32_t drawn = __shfl_sync(0xFFFFFFFFu, sample, i);
    ask_for_row(net.source.features, drawn);
    ask_for_row(net.source.targets, drawn);
  }
}

// Draws all rows by one block of the second kernel.
__device__ inline void draw_ahead(const NetworkArguments& net) {
  constexpr int most = static_cast<int>(StepNotes::most_rows) / later_threads;
  const std::uint32_t next = __ldcg(&net.state->step) + 1;
  std::uint32_t sample[most];
#pragma unroll
  for (int i = 0; i < most; ++i) {
    const int row = static_cast<int>(threadIdx.x) + i * later_threads;
    if (row < net.rows) sample[i] = draw_sample(net.source, next, row);
  }
  start_after_predecessor();
#pragma unroll
  for (int i = 0; i < most; ++i) {
    const int row = static_cast<int>(threadIdx.x) + i * later_threads;
    if (row < net.rows) net.notes->sample[row] = sample[i];
  }
  if (threadIdx.x == 0) note_step(net, next);
  __syncthreads();  // a warp asks for a row
  for (int row = static_cast<int>(threadIdx.x) / 32; row < net.rows; row += later_warps) {
    const std::uint32_t drawn = net.notes->sample[row];
    ask_for_row(net.source.features, drawn);
    ask_for_row(net.source.targets, drawn);
  }
}

}  // namespace breakeven
