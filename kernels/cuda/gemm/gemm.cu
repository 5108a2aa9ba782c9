// SPDX-License-Identifier: Apache-2.0
// The matrix products of this device: who computes what, and what becomes of the epilogues that a kernel
// does not fuse.
#include <algorithm>
#include <array>
#include <string>

#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/cublas.h"
#include "kernels/cuda/gemm/cublaslt.h"
#include "kernels/cuda/gemm/hopper_gemm.h"
#include "kernels/cuda/gemm/make_problem.h"
#include "kernels/cuda/gemm/naive.h"
#include "kernels/cuda/gemm/problem.cuh"
#include "kernels/cuda/gemm/tiled.h"
#include "kernels/cuda/gemm/tuned_table.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

using enum GemmKernel;

constexpr std::array of_fp32{tuned, naive, tiled, warp_tiled, cublas, cublaslt};
constexpr std::array of_tf32x3{tuned, naive, tensor_core};
constexpr std::array of_tf32{tuned, naive, tensor_core, cublas, cublaslt};
constexpr std::array of_16_bits{tuned, naive, tensor_core, cublas, cublaslt};
constexpr std::array of_16_bits_on_hopper{tuned, naive, tensor_core, hopper, cublas, cublaslt};

[[noreturn]] void refuse(const Product& p, const std::string& cause) {
  const GemmShape shape = shape_of(p);
  throw Failure(ExitCode::wrong_numbers,
                std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": gemm " +
                    std::string(name_of(p.variant.kernel)) + " " + std::string(info_of(p.precision).name) +
                    " " + std::string(name_of(p.layout)) + " -> " + cause + " (m " + std::to_string(shape.m) +
                    ", n " + std::to_string(shape.n) + ", k " + std::to_string(shape.k) + ")");
}

bool is_async(GemmKernel kernel) { return kernel == warp_tiled || kernel == tensor_core; }

GemmKernel async_kernel_of(Precision precision) {
  return precision == Precision::fp32 ? warp_tiled : tensor_core;
}

}  // namespace

std::span<const GemmKernel> CudaDevice::gemm_kernels(Precision precision) const {
  switch (precision) {
    case Precision::fp32:
      return of_fp32;
    case Precision::tf32x3:
      return of_tf32x3;
    case Precision::tf32:
      return of_tf32;
    case Precision::bf16:
    case Precision::fp16:
      break;
  }
  if (info_.compute_capability == 90) return of_16_bits_on_hopper;
  return of_16_bits;
}

std::vector<GemmVariant> CudaDevice::gemm_variants(const Product& product) const {
  std::vector<GemmVariant> variants;
  const std::int64_t k = shape_of(product).k;
  for (int tile = 0; tile < static_cast<int>(async_tiles.size()); ++tile) {
    for (int split_k = 1; split_k <= max_split_k; split_k *= 2) {
      if (split_k_fits(product.precision, k, split_k)) {
        variants.push_back({async_kernel_of(product.precision), tile, split_k});
      }
    }
  }
  if (hopper_fits(product, info_.compute_capability)) {
    for (int tile = 0; tile < static_cast<int>(hopper_tiles.size()); ++tile) {
      for (int split_k = 1; hopper_offers(product, {tile, split_k}); split_k *= 2) {
        variants.push_back({hopper, tile, split_k});
      }
    }
  }
  return variants;
}

const GemmTable& CudaDevice::gemm_table() const {
  return given_table_ ? *given_table_ : tuned_table(info_.compute_capability);
}

// What the table says, else the rule. The table's products are plain ones: an update in the epilogue moves so
// much more memory that another variant may be the best.
GemmVariant CudaDevice::tuned_variant(const Product& p) const {
  if (!std::holds_alternative<AdamUpdate>(p.epilogue)) {
    const auto measured = gemm_table().find(p.precision, p.layout, shape_of(p));
    const auto offered = gemm_kernels(p.precision);
    const bool known = measured && measured->kernel != tuned &&
                       std::find(offered.begin(), offered.end(), measured->kernel) != offered.end();
    // A neighbour's k may be long enough for more parts than this one's.
    const bool fits = known && split_k_fits(p.precision, shape_of(p).k, std::max(1, measured->split_k));
    if (fits) return *measured;
  }
  const bool on_hopper = hopper_fits(p, info_.compute_capability) && hopper_pays(p, info_.multiprocessors);
  return {on_hopper ? hopper : async_kernel_of(p.precision)};
}

// The variant with every choice made.
GemmVariant CudaDevice::settle(const Product& p) const {
  GemmVariant variant = p.variant.kernel == tuned ? tuned_variant(p) : p.variant;
  const bool on_hopper = hopper_fits(p, info_.compute_capability);
  if (variant.kernel == hopper && !on_hopper) variant = {tensor_core};  // rows off the copy engine's borders
  if (variant.kernel == hopper) {
    const HopperChoice rule = choose_hopper(p, info_.multiprocessors);
    if (variant.tile < 0) variant.tile = rule.tile;
    if (variant.split_k < 0) variant.split_k = variant.tile == rule.tile ? rule.split_k : 1;
    if (!hopper_offers(p, {variant.tile, variant.split_k})) variant.split_k = 1;
  }
  if (!is_async(variant.kernel)) return variant;
  const AsyncChoice rule = choose_async(p.layout, p.precision, shape_of(p), info_.multiprocessors);
  if (variant.tile < 0) variant.tile = rule.tile;
  if (variant.split_k < 0) variant.split_k = variant.tile == rule.tile ? rule.split_k : 1;
  // Where the last of several parts to arrive finishes a tile, the order of a loss's sum would be its luck.
  const bool sums_loss = std::holds_alternative<SquaredErrorLoss>(p.epilogue);
  if (info_.compute_capability < 90 && sums_loss) variant.split_k = 1;
  return variant;
}

void CudaDevice::check(const Product& p) const {
  check_product(p);
  const auto offered = gemm_kernels(p.precision);
  if (std::find(offered.begin(), offered.end(), p.variant.kernel) == offered.end()) {
    refuse(p, "this device has no such kernel in this precision");
  }
  const GemmShape shape = shape_of(p);
  if (std::max({shape.m, shape.n, shape.k}) > INT32_MAX) refuse(p, "a size is over 2^31 - 1");
  const bool is_hopper = p.variant.kernel == hopper;
  const int tiles = static_cast<int>(is_hopper ? hopper_tiles.size() : async_tiles.size());
  const bool chosen = p.variant.tile >= 0 || p.variant.split_k >= 0;
  const int most = is_hopper && p.variant.tile >= 0 && p.variant.tile < tiles
                       ? hopper_tiles[static_cast<std::size_t>(p.variant.tile)].max_split_k
                       : max_split_k;
  const bool in_range = p.variant.tile < tiles && p.variant.split_k <= most &&
                        (p.variant.split_k < 0 || p.variant.split_k == 1 || p.variant.split_k == 2 ||
                         p.variant.split_k == 4 || p.variant.split_k == max_split_k);
  if (chosen && (is_hopper || is_async(p.variant.kernel)) && !in_range)
    refuse(p, "no such tile or number of parts");
}

// Weight gradients of several layers in one launch where all can go into one: small ones fill the GPU
// together.
bool CudaDevice::gemm_together(std::span<const Product> products, CudaStream& stream) {
  const Product& first = products.front();
  if (products.size() < 2 || products.size() > most_in_a_group || first.layout != GemmLayout::tn)
    return false;
  std::vector<GemmProblem> problems;
  std::vector<GemmShape> shapes;
  for (const Product& p : products) {
    const bool alike =
        p.layout == first.layout && p.precision == first.precision && p.variant == first.variant;
    if (!alike || !is_async(settle(p).kernel) || p.c.rows == 0 || p.c.cols == 0) return false;
    problems.push_back(make_problem(p, stream));
    shapes.push_back(shape_of(p));
  }
  const AsyncChoice choice = choose_together(first.precision, shapes, info_.multiprocessors);
  // Before sm_90 the parts of one product alone can meet.
  if (choice.split_k > 1 && info_.compute_capability < 90) return false;
  gemm_async(first.layout, first.precision, choice, problems, info_.compute_capability, stream);
  return true;
}

void CudaDevice::gemm_alone(const Product& p, CudaStream& stream) {
  const GemmVariant variant = settle(p);
  switch (variant.kernel) {
    case naive:
      gemm_naive(p, stream);
      break;
    case tiled: {
      const GemmShape shape = shape_of(p);
      gemm_tiled(p.layout, plan_gemm(shape.m, shape.n, shape.k, info_.multiprocessors), p.a, p.b, p.c,
                 stream);
      break;
    }
    case cublas:
      gemm_cublas(cublas_handle(), p, stream);
      break;
    case cublaslt:
      gemm_cublaslt(cublaslt_handle(), p, stream);
      if (cublaslt_fuses(p)) return;
      break;
    case hopper:
      gemm_hopper(p.layout, p.precision, {variant.tile, variant.split_k}, make_problem(p, stream), stream);
      return;
    default: {
      const GemmProblem problem = make_problem(p, stream);
      gemm_async(p.layout, p.precision, {variant.tile, variant.split_k}, {&problem, 1},
                 info_.compute_capability, stream);
      return;
    }
  }
  finish_apart(p, stream);
}

void CudaDevice::gemm(std::span<const Product> products, Stream& stream) {
  for (const Product& p : products) check(p);
  auto& cuda = dynamic_cast<CudaStream&>(stream);
  if (products.empty() || gemm_together(products, cuda)) return;
  for (const Product& p : products) {
    if (p.c.rows > 0 && p.c.cols > 0) gemm_alone(p, cuda);
  }
}

}  // namespace breakeven
