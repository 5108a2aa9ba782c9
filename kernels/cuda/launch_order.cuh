// SPDX-License-Identifier: Apache-2.0
// Kernels that start while the one before them on their stream is still ending (CUDA programming guide,
// "Programmatic dependent launch"; from sm_90 on).
#pragma once

namespace breakeven {

// Called once by every thread of a kernel launched with `launch_early`, before it touches what other kernels
// wrote. Returns when the kernel before this one is done, and lets the next one be brought onto the GPU.
__device__ inline void start_after_predecessor() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;\n" ::: "memory");
#endif
}

}  // namespace breakeven
