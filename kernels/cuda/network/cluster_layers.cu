// SPDX-License-Identifier: Apache-2.0
// The second kernel of a small network's step from sm_90 on. A cluster of thread blocks takes some rows of
// the batch through all layers after the first: forward to the loss, and back to the gradient of the first
// layer's output. Helper warps draw the block's dropout, load the weights that only the backward pass needs,
// and draw rows of the next batch.
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/cluster_layers.cuh"

namespace breakeven {
namespace {

constexpr int threads = cluster_threads + helper_threads;
// Limits registers, so this kernel's blocks fit next to the first kernel's, which are still resident.
constexpr int threads_for_registers = 416;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
template <typename Slice>
__device__ void help(const ClusterBlock& block) {
  const std::uint32_t step = __ldcg(&block.net.state->step);
  bring_biases(block);
  draw_factors(block, step);
  tell(HelpersHave::brought_biases_and_factors);
  bring_columns_of_weights<Slice>(block);
  tell(HelpersHave::brought_columns);
  if (threadIdx.x >= cluster_threads + 32) return;
  const int end = min(block.first_row + block.plan.rows, block.net.rows);
  draw_rows_ahead(block.net, step + 1, block.first_row + block.rank, end, block.plan.blocks);
}
#endif

template <typename Slice>
__global__ __launch_bounds__(threads_for_registers,
                             2) void cluster_layers_kernel(const __grid_constant__ NetworkArguments net,
                                                           const __grid_constant__ ClusterPlan plan) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  extern __shared__ __align__(16) float shared[];
  const int rank = rank_in_cluster();
  const ClusterBlock block{net, plan, shared, rank, static_cast<int>(blockIdx.x) / plan.blocks * plan.rows};
  if (threadIdx.x >= cluster_threads) {
    asm volatile("barrier.cluster.arrive.relaxed;\n");  // they count with the others
    help<Slice>(block);
    return;
  }
  ClusterLayers<Slice> layers(block);
  layers.prepare();
  layers.run([&] {
    start_after_predecessor();
    read_rows<typename Slice::Operands::Stored>(block);
    wait_until(HelpersHave::brought_biases_and_factors);
  });
  layers.store_loss();
#else
  __trap();
#endif
}

auto kernel_of(Precision precision) {
  decltype(&cluster_layers_kernel<SliceOf<Fp32Operands>::Slice>) kernel = nullptr;
  with_operands(precision, [&](auto operands) {
    kernel = cluster_layers_kernel<typename SliceOf<decltype(operands)>::Slice>;
  });
  return kernel;
}

KernelShape shape_of(const ClusterPlan& plan) {
  return {.grid = static_cast<unsigned>(plan.clusters * plan.blocks),
          .threads = threads,
          .shared_bytes = sizeof(float) * static_cast<std::size_t>(plan.floats),
          .cluster_blocks = plan.blocks};
}

}  // namespace

int most_clusters(const NetworkLaunch& launch, const ClusterPlan& plan) {
  const auto kernel = kernel_of(launch.precision);
  const KernelLaunch attempt(kernel, "cluster_layers_kernel", shape_of(plan), launch.stream);
  int clusters = 0;
  CUDA_CALL(cudaOccupancyMaxActiveClusters(&clusters, kernel, &attempt.config()));
  return clusters;
}

void launch_cluster_layers(const NetworkLaunch& launch, const ClusterPlan& plan) {
  launch_network_kernel(kernel_of(launch.precision), "cluster_layers_kernel", shape_of(plan), launch.stream,
                        launch.network, plan);
}

}  // namespace breakeven
