// SPDX-License-Identifier: Apache-2.0
// Programmatic dependent launch: kernels that start while the previous kernel on their stream is still ending
// (CUDA programming guide; needs sm_90).
#pragma once

#include <utility>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/random_delay.cuh"

namespace breakeven {

// Every thread of a kernel launched early calls this before it touches what other kernels wrote. Returns when
// the previous kernel is done. The next kernel begins when all blocks of this one have ended.
__device__ inline void wait_for_predecessor() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
#endif
}

// The same, and lets the next kernel's blocks start at once. Not for a kernel of several waves of blocks: the
// next kernel's blocks would take the place of this one's later waves.
__device__ inline void start_after_predecessor() {
  wait_for_predecessor();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n" ::: "memory");
#endif
  be_late_at_random();
}

// Launches a kernel that calls one of these. Before sm_90 a plain launch.
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
