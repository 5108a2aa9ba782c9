// SPDX-License-Identifier: Apache-2.0
// The matrix products of this device: selects the kernel by the table of kernels.
#include <algorithm>
#include <array>
#include <string>

#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm/async_gemm.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/cuda/gemm/tuned_table.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

struct CudaGemm {
  GemmKernel kernel;
  const GemmCode& code;
};

#define BREAKEVEN_CUDA_GEMM(identifier, name, summary) \
  CudaGemm{GemmKernel::identifier, gemm_codes::identifier},
constexpr std::array cuda_gemms{BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_CUDA_GEMM)};
#undef BREAKEVEN_CUDA_GEMM

[[noreturn]] void refuse(const Product& p, const std::string& cause) {
  const GemmShape shape = shape_of(p);
  throw Failure(ExitCode::wrong_numbers,
                std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": gemm " +
                    std::string(name_of(p.variant.kernel)) + " " + std::string(info_of(p.precision).name) +
                    " " + std::string(name_of(p.layout)) + " -> " + cause + " (m " + std::to_string(shape.m) +
                    ", n " + std::to_string(shape.n) + ", k " + std::to_string(shape.k) + ")");
}

// Null for `tuned`, which selects another kernel.
const GemmCode* code_of(GemmKernel kernel) {
  const auto found = std::ranges::find(cuda_gemms, kernel, &CudaGemm::kernel);
  return found == cuda_gemms.end() ? nullptr : &found->code;
}

const GemmChoices* choices_of(GemmKernel kernel) {
  const GemmCode* code = code_of(kernel);
  return code == nullptr ? nullptr : code->choices;
}

// Finds one in any case: warp-tiled and tensor-core together compute every precision and always pay.
GemmKernel fastest_by_rule(const Product& p, const DeviceInfo& gpu) {
  for (auto gemm = cuda_gemms.rbegin(); gemm != cuda_gemms.rend(); ++gemm) {
    const GemmChoices* choices = gemm->code.choices;
    if (choices != nullptr && gemm->code.computes(p.precision, p.layout, gpu) && choices->pays(p, gpu))
      return gemm->kernel;
  }
  refuse(p, "no kernel is expected to be fast");
}

}  // namespace

std::span<const GemmKernel> CudaDevice::gemm_kernels(Precision precision) const {
  return offered_gemms_[index_of(precision)].in_all_layouts;
}

std::span<const GemmKernel> CudaDevice::gemm_kernels(Precision precision, GemmLayout layout) const {
  return offered_gemms_[index_of(precision)].in_layout[static_cast<std::size_t>(layout)];
}

void CudaDevice::list_gemm_kernels() {
  for (const PrecisionInfo& info : precisions) {
    OfferedGemms& offered = offered_gemms_[index_of(info.precision)];
    const auto add = [&](GemmKernel kernel, const auto& computes) {
      for (const GemmLayout layout : gemm_layouts) {
        if (computes(layout)) offered.in_layout[static_cast<std::size_t>(layout)].push_back(kernel);
      }
      if (std::ranges::all_of(gemm_layouts, computes)) offered.in_all_layouts.push_back(kernel);
    };
    add(GemmKernel::tuned, [](GemmLayout) { return true; });
    for (const CudaGemm& gemm : cuda_gemms) {
      add(gemm.kernel, [&](GemmLayout layout) { return gemm.code.computes(info.precision, layout, info_); });
    }
  }
}

std::vector<GemmVariant> CudaDevice::gemm_variants(const Product& product) const {
  std::vector<GemmVariant> variants;
  for (const GemmKernel kernel : gemm_kernels(product.precision, product.layout)) {
    const GemmChoices* choices = choices_of(kernel);
    if (choices != nullptr && choices->fits(product, info_)) choices->add_variants(product, info_, variants);
  }
  return variants;
}

const GemmTable& CudaDevice::gemm_table() const {
  return given_table_ ? *given_table_ : tuned_table(info_.compute_capability);
}

// By the table, otherwise by rule. The table's products have no update in the epilogue, which moves so much
// more memory that another variant may be the fastest.
GemmVariant CudaDevice::tuned_variant(const Product& p) const {
  if (!std::holds_alternative<AdamUpdate>(p.epilogue)) {
    const auto measured = gemm_table().find(p.precision, p.layout, shape_of(p));
    const auto offered = gemm_kernels(p.precision, p.layout);
    const bool known = measured && measured->kernel != GemmKernel::tuned &&
                       std::find(offered.begin(), offered.end(), measured->kernel) != offered.end();
    // A neighbour's k may allow a larger split-k than this one's.
    const bool fits = known && split_k_fits(p.precision, shape_of(p).k, std::max(1, measured->split_k));
    if (fits) return *measured;
  }
  return {fastest_by_rule(p, info_)};
}

// The variant with all choices made.
GemmVariant CudaDevice::settle(const Product& p) const {
  GemmVariant variant = p.variant.kernel == GemmKernel::tuned ? tuned_variant(p) : p.variant;
  const GemmChoices* choices = choices_of(variant.kernel);
  if (choices == nullptr) return variant;
  if (!choices->fits(p, info_)) {
    variant = {fastest_by_rule(p, info_)};
    choices = choices_of(variant.kernel);
  }
  choices->settle(p, info_, variant);
  return variant;
}

void CudaDevice::check(const Product& p) const {
  check_product(p);
  const auto offered = gemm_kernels(p.precision, p.layout);
  if (std::find(offered.begin(), offered.end(), p.variant.kernel) == offered.end()) {
    refuse(p, "this device has no such kernel in this precision and layout");
  }
  const GemmShape shape = shape_of(p);
  if (std::max({shape.m, shape.n, shape.k}) > INT32_MAX) refuse(p, "a size is over 2^31 - 1");
  const GemmChoices* choices = choices_of(p.variant.kernel);
  if (choices != nullptr && !choices->has(p.variant)) refuse(p, "the kernel has no such tile or split-k");
}

// Small weight gradients fill the GPU only together.
bool CudaDevice::gemm_together(std::span<const Product> products, CudaStream& stream) {
  const Product& first = products.front();
  if (products.size() < 2 || first.layout != GemmLayout::tn) return false;
  const GemmKernel kernel = settle(first).kernel;
  const GemmChoices* choices = choices_of(kernel);
  if (choices == nullptr || choices->compute_together == nullptr) return false;
  for (const Product& p : products) {
    const bool alike =
        p.layout == first.layout && p.precision == first.precision && p.variant == first.variant;
    if (!alike || settle(p).kernel != kernel || p.c.rows == 0 || p.c.cols == 0) return false;
  }
  return choices->compute_together(products, info_, stream);
}

void CudaDevice::gemm_alone(const Product& p, CudaStream& stream) {
  const GemmVariant variant = settle(p);
  const GemmCode& code = *code_of(variant.kernel);
  code.compute({*this, p, variant.tile, variant.split_k, stream});
  if (!code.fuses(p)) finish_apart(p, stream);
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
