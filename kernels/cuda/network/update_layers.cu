// SPDX-License-Identifier: Apache-2.0
// The third kernel of a small network's step on one GPU: the gradients of all weights and biases, and Adam's
// update. A block has 32 x 64 weights. One extra block adds up the loss and ends the step.
#include "kernels/cuda/network/update_tile.cuh"

namespace breakeven {
namespace {

template <typename Products>
__global__ __launch_bounds__(update_threads,
                             2) void update_layers_kernel(const __grid_constant__ UpdateArguments arguments) {
  extern __shared__ __align__(16) float shared[];
  update_layers<Products>(arguments, NoExchange{}, shared);
}

}  // namespace

void launch_update_layers(const NetworkLaunch& launch) {
  const UpdateArguments arguments{launch.network, update_tiles(launch.network)};
  with_operands(launch.precision, [&](auto operands) {
    using Products = typename UpdateOf<decltype(operands)>::Products;
    launch_network_kernel(update_layers_kernel<Products>, "update_layers_kernel",
                          update_shape<Products>(launch.network), launch.stream, arguments);
  });
}

}  // namespace breakeven
