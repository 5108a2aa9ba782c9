// SPDX-License-Identifier: Apache-2.0
// The end of a small network's step: its loss, and the state of the next step.
#pragma once

#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/cuda/network/clock.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

// By one block of so many warps. All other readers of the state have ended, or use the notes instead.
template <int warps>
__device__ void end_step(const NetworkArguments& net) {
  start_after_predecessor();
  double sum = 0;
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < net.loss_part_count; i += 32 * warps) {
    sum += __ldcg(net.loss_parts + i);
  }
  sum = block_reduce<warps>(sum, Add{});
  if (threadIdx.x != 0) return;
  StepState& state = *net.state;
  net.losses[state.step % net.loss_slots] = static_cast<float>(sum * net.loss_scale);
  if (net.step_ends != nullptr) net.step_ends[state.step % net.loss_slots] = nanoseconds();
  advance(state, net.adam.beta1, net.adam.beta2);
}

}  // namespace breakeven
