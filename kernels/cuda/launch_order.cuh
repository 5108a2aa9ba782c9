// SPDX-License-Identifier: Apache-2.0
// Kernels that start while the one before them on their stream is still ending (CUDA programming guide,
// "Programmatic dependent launch"; from sm_90 on).
#pragma once

#include <utility>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_stream.h"

namespace breakeven {

// Called once by every thread of a kernel launched early, before it touches what other kernels wrote. Returns
// when the kernel before this one is done, and lets the next one be brought onto the GPU.
__device__ inline void start_after_predecessor() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;\n" ::: "memory");
#endif
}

// A launch of a kernel that calls start_after_predecessor(). Before sm_90 a plain one.
template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), const char* name, dim3 grid, dim3 block, CudaStream& stream,
                  Arguments&&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = stream.raw();
  config.attrs = &early;
  config.numAttrs = stream.launches_early() ? 1 : 0;
  CUDA_CALL(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), name);
}

}  // namespace breakeven
