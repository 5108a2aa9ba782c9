// SPDX-License-Identifier: Apache-2.0
// Marks the arithmetic that the host compiler and nvcc must both compile, from one source, to the same bits.
#pragma once

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__ inline
#else
#define HOST_DEVICE inline
#endif
