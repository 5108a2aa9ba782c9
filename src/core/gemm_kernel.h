// SPDX-License-Identifier: Apache-2.0
// The GEMM kernels, as one table. A new kernel is a row of it and its own files, which define
// gemm_codes::IDENTIFIER (kernels/cuda/gemm/gemm_code.h): precisions, GPUs and code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/core/words_of.h"

namespace breakeven {

// The kernels of the CUDA device. A macro, because identifiers are made from each row in two places. Where
// several kernels are expected to be fast, the last one in the table is used.
#define BREAKEVEN_CUDA_GEMM_KERNELS(ROW)                                                                     \
  ROW(naive, "naive", "one thread an element of C")                                                          \
  ROW(tiled, "tiled", "tiles in shared memory, a piece of the tile in each thread's registers")              \
  ROW(warp_tiled, "warp-tiled", "tiles brought by asynchronous copies, a piece of the tile a warp, split-k") \
  ROW(tensor_core, "tensor-core", "the same tiles multiplied by mma.sync")                                   \
  ROW(hopper, "hopper", "tiles brought by the tensor memory copy engine, multiplied by wgmma")               \
  ROW(cublas, "cublas", "NVIDIA's library")                                                                  \
  ROW(cublaslt, "cublaslt", "NVIDIA's library with its own fused epilogues")

#define BREAKEVEN_GEMM_IDENTIFIER(identifier, name, summary) identifier,
#define BREAKEVEN_GEMM_INFO(identifier, name, summary) GemmKernelInfo{GemmKernel::identifier, name, summary},

// Not every kernel computes every precision and layout: Device::gemm_kernels.
enum class GemmKernel : std::uint8_t {
  tuned,
  BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_GEMM_IDENTIFIER) openblas,
};

struct GemmKernelInfo {
  GemmKernel kernel;
  std::string_view name;
  std::string_view summary;
};

inline constexpr std::array gemm_kernels{
    GemmKernelInfo{GemmKernel::tuned, "tuned",
                   "for each shape the kernel that the table of measured products names"},
    BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_GEMM_INFO)
        GemmKernelInfo{GemmKernel::openblas, "openblas", "on the host, where naive is the only other"},
};
#undef BREAKEVEN_GEMM_IDENTIFIER
#undef BREAKEVEN_GEMM_INFO

constexpr auto names_of_gemm_kernels() {
  std::array<std::string_view, gemm_kernels.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = gemm_kernels[i].name;
  return names;
}
template <>
inline constexpr auto words_of<GemmKernel> = names_of_gemm_kernels();

// NVIDIA's libraries are the reference for the speed of the project's own kernels.
constexpr bool is_vendors(GemmKernel kernel) {
  return kernel == GemmKernel::cublas || kernel == GemmKernel::cublaslt;
}

}  // namespace breakeven
