// SPDX-License-Identifier: Apache-2.0
// The GEMM kernels by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace breakeven {

// The ladder, in reading order, and what it is measured against. Not every kernel computes every precision:
// Device::gemm_kernels.
enum class GemmKernel : std::uint8_t {
  tuned,        // for each shape the one that the table of measured products names
  naive,        // one thread an element of C
  tiled,        // tiles in shared memory, parts in registers
  warp_tiled,   // tiles brought by asynchronous copies, a part of the tile a warp, k divided over a cluster
  tensor_core,  // the same tiles multiplied by mma.sync
  hopper,       // tiles brought by the tensor memory copy engine, multiplied by wgmma
  cublas,
  cublaslt,  // with its own fused epilogues
  openblas,  // on the host
};
inline constexpr std::array<std::string_view, 9> gemm_kernel_names{
    "tuned", "naive", "tiled", "warp-tiled", "tensor-core", "hopper", "cublas", "cublaslt", "openblas"};
constexpr std::string_view name_of(GemmKernel kernel) {
  return gemm_kernel_names[static_cast<std::size_t>(kernel)];
}

constexpr std::optional<GemmKernel> find_gemm_kernel(std::string_view name) {
  for (std::size_t i = 0; i < gemm_kernel_names.size(); ++i) {
    if (gemm_kernel_names[i] == name) return static_cast<GemmKernel>(i);
  }
  return std::nullopt;
}

}  // namespace breakeven
