// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops over flat buffers, four values per thread and iteration: for (i = first_place(); i <
// count; i += place_stride()) with load_quad and store_quad of quad.cuh.
#pragma once

#include <cstdint>

#include "kernels/cuda/quad.cuh"
#include "kernels/device.h"

namespace breakeven {

constexpr int flat_threads = 256;
constexpr int flat_blocks_of_multiprocessor = 8;  // with as many threads as it can hold

__device__ inline std::int64_t first_place() {
  return 4 * (std::int64_t{blockIdx.x} * flat_threads + threadIdx.x);
}
__device__ inline std::int64_t place_stride() { return 4 * std::int64_t{gridDim.x} * flat_threads; }

// Enough blocks to hide the latency of memory; their threads stride over the rest.
inline unsigned flat_blocks(std::int64_t count, const DeviceInfo& gpu) {
  return blocks_for(count, 4 * flat_threads,
                    std::int64_t{flat_blocks_of_multiprocessor} * gpu.multiprocessors);
}

}  // namespace breakeven
