// SPDX-License-Identifier: Apache-2.0
// The sequence of a resident step, and all but its products: the batch's rows, dropout, step state and loss.
#pragma once

#include "kernels/cuda/block_barrier.cuh"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/clock.cuh"
#include "kernels/cuda/network/resident_backward.cuh"
#include "kernels/cuda/network/resident_forward.cuh"
#include "kernels/cuda/network/resident_weights.cuh"
#include "kernels/cuda/random_delay.cuh"
#include "kernels/sample_order.h"

namespace breakeven {

// Registers per thread: 2 * 216 + 72 on each of a multiprocessor's four partitions, which have 512.
constexpr int computing_registers = 216;
constexpr int preparing_registers = 72;

// ---- The batch -------------------------------------------------------------------------------------------

// For all steps of the launch. Rows after the batch's last repeat it; their results are not used.
__device__ inline void draw_samples(const ResidentBlock& block, std::uint32_t first_step, int thread,
                                    int threads) {
  const BatchSource& source = block.net().source;
#pragma unroll 1
  for (int i = thread; i < block.arguments.steps * resident_rows; i += threads) {
    const int step = i / resident_rows;
    const int row = min(i % resident_rows, block.net().rows - 1);
    const std::uint64_t position =
        std::uint64_t{first_step + static_cast<std::uint32_t>(step)} * source.global_batch +
        source.first_sample + static_cast<std::uint64_t>(row);
    block.shared.sample[step][i % resident_rows] =
        sample_at(source.seed, position, static_cast<std::uint32_t>(source.features.rows));
  }
}

// By one warp: loads the rows of step `step` of the launch, and this block's part of their targets.
__device__ inline void ask_for_rows(const ResidentBlock& block, int step) {
  const NetworkArguments& net = block.net();
  const int last = net.layers - 1;
  const auto target_ld = static_cast<int>(net.source.targets.ld);
  const int targets = max(min(block.place(last).units, target_ld - block.first_unit(last)), 0);
  const int row_bytes = block.layer(0).in_ld * static_cast<int>(sizeof(float));
  const int target_bytes = targets * static_cast<int>(sizeof(float));
  std::uint64_t& barrier = block.shared.rows_arrived[step % 2];
  if (block.lane() == 0) {
    hopper::arrive_and_expect(barrier,
                              static_cast<std::uint32_t>(resident_rows * (row_bytes + target_bytes)));
  }
  __syncwarp();
  hopper::fence_before_copies();  // the rows overwrite sums
  const int row = block.lane() / 2;
  const std::uint32_t sample = block.shared.sample[step][row];
  if (block.lane() % 2 == 0) {
    copy_line(block.address_of(block.rows_at(step) + row * block.place(0).stride),
              net.source.features.floats() + sample * net.source.features.ld, row_bytes, barrier);
  } else if (target_bytes > 0) {
    copy_line(block.address_of(block.targets_at(step) + row * block.place(last).units),
              net.source.targets.floats() + sample * net.source.targets.ld + block.first_unit(last),
              target_bytes, barrier);
  }
}

// By `threads` threads; `thread` is this thread's index.
__device__ inline void draw_factors(const ResidentBlock& block, std::uint32_t step, int thread, int threads) {
  for (int l = 0; l + 1 < block.net().layers; ++l) {
    const ResidentLayer& place = block.place(l);
    for (int number = thread; number < resident_rows << place.width_log2; number += threads) {
      const int row = number >> place.width_log2;
      const int unit = 4 * (number & ((1 << place.width_log2) - 1));
      if (unit >= place.units) continue;
      put_quad(block.address_of(place.factors_at + row * place.units + unit),
               draw_unit_factors(block.net().mask, static_cast<std::uint32_t>(l), step, row,
                                 block.first_unit(l) + unit));
    }
  }
}

// ---- The state -------------------------------------------------------------------------------------------

__device__ inline void bring_weights(const ResidentBlock& block) {
  for (int l = 0; l < block.net().layers; ++l) {
    const LayerArguments& layer = block.layer(l);
    const int first = block.first_unit(l);
    for (int u = block.warp(); u < block.place(l).units && first + u < layer.out; u += resident_warps) {
      const float* from = layer.weight.parameter + (first + u) * layer.in_ld;
      const std::uint32_t to =
          block.address_of(block.place(l).weight_at + block.place_of_unit(l, u) * block.place(l).stride);
      for (int quad = block.lane(); 4 * quad < layer.in_ld; quad += 32) {
        copy_chunk(to + quad * chunk_bytes, from + 4 * quad);
      }
    }
  }
  commit_copies();
}

// By all threads, before any of them reads what other kernels wrote.
__device__ inline void set_up(const ResidentBlock& block) {
  if (block.thread() == 0) set_up_exchanges(block);
  for (int i = 4 * block.thread(); i < block.arguments.plan.floats; i += 4 * resident_all_threads) {
    put_quad(block.address_of(i), Quad{});  // all padding
  }
  start_after_predecessor();
  __syncthreads();
}

// ---- The warps that compute ------------------------------------------------------------------------------

// Barriers of a block; number 0 is that of all its threads.
__device__ inline void synchronize_computing() { meet_at_barrier(1, resident_threads); }
__device__ inline void synchronize_preparing() {
  meet_at_barrier(2, resident_all_threads - resident_threads);
}
// The rows' other buffer and the dropout factors are free, and this block's part of the loss is known.
__device__ inline void say_forward_is_done() { arrive_at_barrier(3, resident_all_threads); }
__device__ inline void wait_for_forward() { meet_at_barrier(3, resident_all_threads); }
// All gradients of outputs, Adam's factors and the next step's dropout factors are ready.
__device__ inline void meet_before_update() { meet_apart_at_barrier(4, resident_all_threads); }
__device__ inline void say_biases_are_updated() { arrive_at_barrier(5, resident_all_threads); }
__device__ inline void meet_after_update() { meet_at_barrier(5, resident_all_threads); }

__device__ inline void forward(const ResidentBlock& block, int step) {
  wait_for_phase(block.shared.rows_arrived[step % 2], step / 2);
  if (block.owns_units_of(0)) multiply_first_layer(block, step);
  synchronize_computing();
  if (step > 0) wait_for_step_of_cluster();
  if (block.owns_units_of(0)) finish_first_layer(block, step);
#pragma unroll 1
  for (int l = 1; l < block.net().layers; ++l) {
    wait_for_values(block, l, step);
    be_late_at_random();
    if (block.owns_units_of(l)) make_later_layer(block, l, step);
  }
  say_forward_is_done();
  synchronize_computing();
}

__device__ inline void backward(const ResidentBlock& block, int step) {
#pragma unroll 1
  for (int l = block.net().layers - 1; l > 0; --l) {
    send_data_gradient(block, l);
    if (block.owns_units_of(l - 1)) {
      wait_for_gradients(block, l - 1, step);
      be_late_at_random();
      finish_gradient(block, l - 1);
    }
    synchronize_computing();
  }
}

__device__ inline void note_end(const ResidentBlock& block, std::uint32_t first_step, int step) {
  const NetworkArguments& net = block.net();
  if (net.step_ends == nullptr || block.number != 0 || block.thread() != 0) return;
  net.step_ends[(first_step + static_cast<std::uint32_t>(step)) % net.loss_slots] = nanoseconds();
}

__device__ inline bool keeps_gradients(const ResidentBlock& block, int step) {
  return step + 1 == block.arguments.steps && block.layer(0).weight_gradient != nullptr;
}

__device__ inline void compute_steps(const ResidentBlock& block) {
  WeightTile tile(block, block.thread());
  const std::uint32_t first_step = __ldcg(&block.net().state->step);
  bring_weights(block);
  tile.load_moments();
  wait_for_all_but<0>();
  hopper::synchronize_cluster();  // all blocks are initialised
  meet_after_update();
#pragma unroll 1
  for (int step = 0; step < block.arguments.steps; ++step) {
    forward(block, step);
    backward(block, step);
    meet_before_update();
    be_late_at_random();
    tile.update(step, keeps_gradients(block, step));
    end_step_of_cluster();
    meet_after_update();  // the next step reads the new parameters
    note_end(block, first_step, step);
  }
  tile.store();
  wait_for_step_of_cluster();
}

// ---- The warps that prepare ------------------------------------------------------------------------------

// Each warp has its own task.
constexpr int rows_warp = resident_warps;
constexpr int numbers_warp = resident_warps + 1;
constexpr int first_dropout_warp = resident_warps + 2;
constexpr int dropout_threads = resident_all_threads - 32 * first_dropout_warp;

// By one warp of block 0.
__device__ inline void store_loss(const ResidentBlock& block, std::uint32_t first_step, int step) {
  const NetworkArguments& net = block.net();
  const bool has_part = block.lane() < block.place(net.layers - 1).owners;
  const double sum = warp_reduce(has_part ? block.shared.loss_parts[step % 2][block.lane()] : 0.0, Add{});
  if (block.lane() != 0) return;
  net.losses[(first_step + static_cast<std::uint32_t>(step)) % net.loss_slots] =
      static_cast<float>(sum * net.loss_scale);
}

// By one warp: sends this block's part of the loss to block 0.
__device__ inline void send_loss(const ResidentBlock& block, int step) {
  if (!block.owns_units_of(block.net().layers - 1)) return;
  const double part =
      warp_reduce(block.lane() < resident_warps ? block.shared.squares[block.lane()] : 0.0, Add{});
  if (block.lane() == 0) store_in_block(block.shared.loss_parts[step % 2][block.number], 0, part);
}

__device__ inline void prepare_update(const ResidentBlock& block, std::uint32_t first_step, int step,
                                      StepState& state) {
  AdamFactors factors{};
  if (block.warp() == numbers_warp) {
    factors = adam_factors(block.net().adam, state);
    advance(state, block.net().adam.beta1, block.net().adam.beta2);
  }
  wait_for_forward();
  be_late_at_random();
  const bool has_next = step + 1 < block.arguments.steps;
  if (block.warp() == rows_warp) {
    if (has_next) ask_for_rows(block, step + 1);
    send_loss(block, step);
  } else if (block.warp() == numbers_warp) {
    if (block.lane() == 0) block.shared.factors = factors;
  } else if (has_next) {
    draw_factors(block, first_step + static_cast<std::uint32_t>(step) + 1,
                 block.thread() - 32 * first_dropout_warp, dropout_threads);
  }
}

__device__ inline void prepare_steps(const ResidentBlock& block) {
  StepState state = *block.net().state;
  const std::uint32_t first_step = state.step;
  const int thread = block.thread() - resident_threads;
  constexpr int threads = resident_all_threads - resident_threads;
  draw_samples(block, first_step, thread, threads);
  draw_factors(block, first_step, thread, threads);
  for_biases(block, thread, threads, [](const BiasPlace& bias) { bias.load(); });
  synchronize_preparing();
  if (block.warp() == rows_warp) ask_for_rows(block, 0);
  hopper::synchronize_cluster();
  say_biases_are_updated();
#pragma unroll 1
  for (int step = 0; step < block.arguments.steps; ++step) {
    prepare_update(block, first_step, step, state);
    meet_before_update();
    be_late_at_random();
    const bool keeps = keeps_gradients(block, step);
    for_biases(block, thread, threads, [keeps](const BiasPlace& bias) { bias.update(keeps); });
    say_biases_are_updated();
    end_step_of_cluster_with_loss();
    wait_for_step_of_cluster();
    if (block.number == 0 && block.warp() == rows_warp) store_loss(block, first_step, step);
  }
  for_biases(block, thread, threads, [](const BiasPlace& bias) { bias.store(); });
  if (block.number == 0 && block.warp() == numbers_warp && block.lane() == 0) *block.net().state = state;
}

}  // namespace breakeven
