// SPDX-License-Identifier: Apache-2.0
// The launch of one of a small network's kernels, and how they read what changes from step to step.
#pragma once

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/cuda/quad.cuh"

namespace breakeven {

// launch_early (launch_order.cuh) with shared memory. `name` is what a failure is told by.
template <typename... Parameters, typename... Arguments>
void launch_network_kernel(void (*kernel)(Parameters...), const char* name, dim3 grid, int threads,
                           std::size_t shared_bytes, const CudaStream& stream,
                           const Arguments&... arguments) {
  CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes)),
            name, shared_bytes);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = static_cast<unsigned>(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream.raw();
  config.attrs = &early;
  config.numAttrs = stream.launches_early() ? 1 : 0;
  CUDA_CALL(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

// Four floats that an earlier kernel may have changed: from the L2 cache, since a kernel that starts early
// may find them in the multiprocessor's own as they were before.
__device__ inline Quad load_changed_quad(const float* from) {
  const float4 value = __ldcg(reinterpret_cast<const float4*>(from));
  return {{value.x, value.y, value.z, value.w}};
}

}  // namespace breakeven
