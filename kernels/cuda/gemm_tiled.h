// SPDX-License-Identifier: Apache-2.0
// The project's own matrix product, and how it chooses its tiles.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/device.h"

namespace breakeven {

enum class GemmTile { small, medium, large };

// The largest tile of which C has at least one for each multiprocessor: a large tile reads less memory for
// each product, but one that leaves multiprocessors idle is slower than a smaller one.
GemmTile choose_tile(std::int64_t m, std::int64_t n, int multiprocessors);

void gemm_tiled(GemmLayout layout, GemmTile tile, ConstMatrix a, ConstMatrix b, Matrix c,
                cudaStream_t stream);

}  // namespace breakeven
