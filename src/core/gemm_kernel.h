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

// The kernels of the CUDA device. A macro, because identifiers are made from each row in two places.
#define BREAKEVEN_CUDA_GEMM_KERNELS(ROW) \
  ROW(naive, "naive")                    \
  ROW(tiled, "tiled")                    \
  ROW(warp_tiled, "warp-tiled")          \
  ROW(tensor_core, "tensor-core")        \
  ROW(hopper, "hopper")                  \
  ROW(cublas, "cublas")                  \
  ROW(cublaslt, "cublaslt")

#define BREAKEVEN_GEMM_IDENTIFIER(identifier, name) identifier,
#define BREAKEVEN_GEMM_INFO(identifier, name) GemmKernelInfo{GemmKernel::identifier, name},

// Not every kernel computes every precision and layout: Device::gemm_kernels.
enum class GemmKernel : std::uint8_t {
  tuned,
  BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_GEMM_IDENTIFIER) openblas,
};

struct GemmKernelInfo {
  GemmKernel kernel;
  std::string_view name;
};

inline constexpr std::array gemm_kernels{
    GemmKernelInfo{GemmKernel::tuned, "tuned"},  // for each shape the kernel that the table of products names
    BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_GEMM_INFO)
        GemmKernelInfo{GemmKernel::openblas, "openblas"},  // on the host, where naive is the only other
};
#undef BREAKEVEN_GEMM_IDENTIFIER
#undef BREAKEVEN_GEMM_INFO

template <>
inline constexpr auto words_of<GemmKernel> = names_of_rows(gemm_kernels);

// NVIDIA's libraries are the reference for the speed of the project's own kernels.
constexpr bool is_vendors(GemmKernel kernel) {
  return kernel == GemmKernel::cublas || kernel == GemmKernel::cublaslt;
}

}  // namespace breakeven
