// SPDX-License-Identifier: Apache-2.0
// The kernel of the resident network: loads its state to the multiprocessors, runs several steps, and stores
// it.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/resident.cuh"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)  // setmaxnreg
#include "kernels/cuda/network/resident_steps.cuh"
#endif

namespace breakeven {
namespace {

__global__ __launch_bounds__(resident_all_threads,
                             1) void resident_kernel(const __grid_constant__ ResidentArguments arguments) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(16) float floats[];
  __shared__ ResidentShared shared;
  const ResidentBlock block{arguments, floats, shared_address(floats), shared,
                            static_cast<int>(hopper::block_in_cluster())};
  set_up(block);
  if (block.warp() < resident_warps) {
    hopper::take_registers<computing_registers>();
    compute_steps(block);
  } else {
    hopper::keep_registers<preparing_registers>();
    prepare_steps(block);
  }
#else
  __trap();
#endif
}

cudaLaunchConfig_t launch_config(const ResidentPlan& plan, cudaLaunchAttribute (&attributes)[2]) {
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {resident_blocks, 1, 1};
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = resident_blocks;
  config.blockDim = resident_all_threads;
  config.dynamicSmemBytes = static_cast<std::size_t>(plan.floats) * sizeof(float);
  config.attrs = attributes;
  config.numAttrs = 2;
  CUDA_CALL(cudaFuncSetAttribute(resident_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CUDA_CALL(cudaFuncSetAttribute(resident_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(config.dynamicSmemBytes)),
            "resident_kernel", config.dynamicSmemBytes);
  return config;
}

}  // namespace

bool can_launch_resident(const ResidentPlan& plan) {
  cudaLaunchAttribute attributes[2] = {};
  const cudaLaunchConfig_t config = launch_config(plan, attributes);
  int clusters = 0;
  CUDA_CALL(cudaOccupancyMaxActiveClusters(&clusters, resident_kernel, &config));
  return clusters > 0;
}

void launch_resident(const ResidentArguments& arguments, CudaStream& stream) {
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config = launch_config(arguments.plan, attributes);
  config.stream = stream.raw();
  CUDA_CALL(cudaLaunchKernelEx(&config, resident_kernel, arguments), "resident_kernel");
}

}  // namespace breakeven
