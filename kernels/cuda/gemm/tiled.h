// SPDX-License-Identifier: Apache-2.0
// The project's own matrix product, and how it divides its work.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"
#include "kernels/stream.h"

namespace breakeven {

enum class GemmTile { small, medium, large };

struct GemmPlan {
  GemmTile tile;
  int split_k;  // that k is cut into; fewer are made where k or the scratch memory has no room for so many
  bool operator==(const GemmPlan&) const = default;
};

// The largest tile that, with k cut where it is long, still gives each multiprocessor a block: a large tile
// reads less memory for each product, but one that leaves multiprocessors idle is slower than a smaller one.
GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors);

void gemm_tiled(GemmLayout layout, const GemmPlan& plan, ConstMatrix a, ConstMatrix b, Matrix c,
                CudaStream& stream);

}  // namespace breakeven
