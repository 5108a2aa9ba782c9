// SPDX-License-Identifier: Apache-2.0
// The second kernel of a small network's step before sm_90. A block loads the weights of all later layers
// into shared memory while the first kernel runs. Then it takes one or two rows of the batch at a time
// through them: forward to the loss, and back to the gradient of the first layer's output. One extra block
// draws the next batch.
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/draw_ahead.cuh"
#include "kernels/cuda/network/later_layers.cuh"

namespace breakeven {
namespace {

template <int rows, bool is_tf32>
__global__ __launch_bounds__(later_threads,
                             1) void later_layers_kernel(const __grid_constant__ NetworkArguments net,
                                                         const __grid_constant__ LaterLayersPlan plan) {
  extern __shared__ __align__(16) float shared[];
  if (static_cast<int>(blockIdx.x) == plan.blocks) return draw_ahead(net);
  LaterLayers<rows, is_tf32> layers(net, plan, shared);
  layers.fetch_weights();
  const std::uint32_t step = __ldcg(&net.state->step);
  int group = static_cast<int>(blockIdx.x);
  layers.draw_factors(step, group * rows);
  __syncthreads();  // before rows come into shared memory
  start_after_predecessor();
  while (true) {
    layers.read_rows();
    for (int l = 1; l < net.layers; ++l) {
      layers.wait_for_weights(l);
      __syncthreads();
      layers.forward(l);
    }
    __syncthreads();
    for (int l = net.layers - 1; l > 0; --l) {
      layers.sum_data_gradient(l);
      __syncthreads();
      layers.finish_data_gradient(l);
      __syncthreads();
    }
    layers.store_loss(group);
    group += plan.blocks;
    if (group * rows >= net.rows) return;
    layers.draw_factors(step, group * rows);
  }
}

}  // namespace

void launch_later_layers(const NetworkLaunch& launch, const LaterLayersPlan& plan) {
  const KernelShape shape{.grid = static_cast<unsigned>(plan.blocks + 1),
                          .threads = later_threads,
                          .shared_bytes = sizeof(float) * static_cast<std::size_t>(plan.floats)};
  const auto with = [&](auto kernel) {
    launch_network_kernel(kernel, "later_layers_kernel", shape, launch.stream, launch.network, plan);
  };
  if (plan.rows_a_block == 1) {
    launch.precision == Precision::tf32 ? with(later_layers_kernel<1, true>)
                                        : with(later_layers_kernel<1, false>);
  } else {
    launch.precision == Precision::tf32 ? with(later_layers_kernel<2, true>)
                                        : with(later_layers_kernel<2, false>);
  }
}

}  // namespace breakeven
