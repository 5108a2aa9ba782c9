// SPDX-License-Identifier: Apache-2.0
// The GEMM kernel tiled, and how it divides its work.
#pragma once

#include <cstdint>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/product.h"
#include "kernels/stream.h"

namespace breakeven {

enum class GemmTile { small, medium, large };

struct GemmPlan {
  GemmTile tile;
  int split_k;  // at most; fewer if k or the scratch memory is too small
  bool operator==(const GemmPlan&) const = default;
};

// The largest tile that, with split-k, still gives each multiprocessor a block: larger tiles read less memory
// per multiply-add, but idle multiprocessors cost more.
GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors);

void gemm_tiled(GemmLayout layout, const GemmPlan& plan, ConstMatrix a, ConstMatrix b, Matrix c,
                CudaStream& stream);

}  // namespace breakeven
