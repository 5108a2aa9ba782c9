// SPDX-License-Identifier: Apache-2.0
// Kernels that start while the one before them on their stream is still ending (CUDA programming guide,
// "Programmatic dependent launch"; from sm_90 on).
#pragma once

#include <utility>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_stream.h"

namespace breakeven {

// Called by every thread of a kernel launched early, before it touches what other kernels wrote: returns when
// the kernel before this one is done. The next one begins when all blocks of this one have ended.
__device__ inline void wait_for_predecessor() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
#endif
}

// The same, and lets the next kernel be brought onto the GPU at once. Not for a kernel whose many blocks end
// one after another: the next one's would crowd where the first of them ended.
__device__ inline void start_after_predecessor() {
  wait_for_predecessor();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n" ::: "memory");
#endif
}

// A launch of a kernel that calls one of these. Before sm_90 a plain one.
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
