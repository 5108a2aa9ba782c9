// SPDX-License-Identifier: Apache-2.0
// The matrix products of this device: selects the kernel by the table of kernels.
#include <algorithm>
#include <array>
#include <limits>
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

#define BREAKEVEN_CUDA_GEMM(identifier, name) CudaGemm{GemmKernel::identifier, gemm_codes::identifier},
constexpr std::array cuda_gemms{BREAKEVEN_CUDA_GEMM_KERNELS(BREAKEVEN_CUDA_GEMM)};
#undef BREAKEVEN_CUDA_GEMM

[[noreturn]] void refuse(const Product& p, const std::string& cause) {
  const GemmShape shape = shape_of(p);
  const std::string call = "gemm " + std::string(name_of(p.variant.kernel)) + " " +
                           std::string(info_of(p.precision).name) + " " + std::string(name_of(p.layout));
  throw misused_call(
      call, __FILE__, __LINE__, cause,
      "m " + std::to_string(shape.m) + ", n " + std::to_string(shape.n) + ", k " + std::to_string(shape.k));
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

// Of the kernel that computes several such products in one launch; null if none does.
const GemmChoices* choices_together(const Product& p, std::span<const GemmKernel> offered) {
  for (const GemmKernel kernel : offered) {
    const GemmChoices* choices = choices_of(kernel);
    const bool asked = p.variant.kernel == GemmKernel::tuned || p.variant.kernel == kernel;
    if (asked && choices != nullptr && choices->compute_together != nullptr) return choices;
  }
  return nullptr;
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

// By the table of measured products, otherwise by expected time. The table's products have no update in the
// epilogue, which moves so much more memory that another variant may be the fastest.
GemmVariant CudaDevice::tuned_variant(const Product& p) const {
  if (std::holds_alternative<AdamUpdate>(p.epilogue)) return p.variant;
  const auto measured = gemm_table().find(p.precision, p.layout, shape_of(p));
  const auto offered = gemm_kernels(p.precision, p.layout);
  const bool known = measured && std::ranges::find(offered, measured->kernel) != offered.end();
  return known ? *measured : p.variant;
}

// The variant with all choices made: of those that fit what is chosen already, the one that is expected to be
// the fastest. If a kernel cannot compute the product, another does.
GemmVariant CudaDevice::settle(const Product& p) const {
  const GemmVariant asked = p.variant.kernel == GemmKernel::tuned ? tuned_variant(p) : p.variant;
  if (asked.kernel != GemmKernel::tuned && choices_of(asked.kernel) == nullptr) return asked;
  const std::vector<GemmVariant> all = gemm_variants(p);
  for (const GemmVariant& wanted :
       {asked, GemmVariant{asked.kernel, asked.tile, -1}, GemmVariant{asked.kernel}, GemmVariant{}}) {
    const auto fits = [&](const GemmVariant& variant) {
      return (wanted.kernel == GemmKernel::tuned || wanted.kernel == variant.kernel) &&
             (wanted.tile < 0 || wanted.tile == variant.tile) &&
             (wanted.split_k < 0 || wanted.split_k == variant.split_k);
    };
    const GemmVariant* fastest = nullptr;
    double least_us = std::numeric_limits<double>::infinity();
    for (const GemmVariant& variant : all) {
      const double us = fits(variant) ? choices_of(variant.kernel)->expected_us(p, variant, info_) : least_us;
      if (us >= least_us) continue;
      least_us = us;
      fastest = &variant;
    }
    if (fastest != nullptr) return *fastest;
  }
  refuse(p, "no kernel has a variant for it");
}

void CudaDevice::check(const Product& p) const {
  check_product(p);
  const auto offered = gemm_kernels(p.precision, p.layout);
  if (std::find(offered.begin(), offered.end(), p.variant.kernel) == offered.end()) {
    refuse(p, "this device has no such kernel in this precision and layout");
  }
  const GemmShape shape = shape_of(p);
  // Kernels round sizes up to whole tiles in 32 bits.
  if (std::max({shape.m, shape.n, shape.k}) > INT32_MAX - 1024) refuse(p, "a size is over 2^31 - 1,025");
  const GemmChoices* choices = choices_of(p.variant.kernel);
  if (choices != nullptr && !choices->has(p.variant)) refuse(p, "the kernel has no such tile or split-k");
}

// Small weight gradients fill the GPU only together. How many of the products, which are ordered by time, one
// launch should compute.
std::size_t CudaDevice::count_together(std::span<const Product> products) const {
  const Product& first = products.front();
  if (products.size() < 2 || first.layout != GemmLayout::tn) return 0;
  const GemmChoices* choices = choices_together(first, gemm_kernels(first.precision, first.layout));
  const auto alike = [&](const Product& p) {
    return p.layout == first.layout && p.precision == first.precision && p.variant == first.variant &&
           p.in_background == first.in_background;
  };
  if (choices == nullptr || !std::ranges::all_of(products, alike)) return 0;
  std::size_t together = 0;
  double alone_us = 0, most_saved_us = 0;
  for (std::size_t count = 1; count <= std::min(products.size(), most_in_a_group); ++count) {
    alone_us += expected_us(products[count - 1]);
    const double saved_us = alone_us - choices->expected_us_together(products.first(count), info_);
    if (count < 2 || saved_us <= most_saved_us) continue;
    most_saved_us = saved_us;
    together = count;
  }
  return together;
}

double CudaDevice::expected_us(const Product& p) const {
  const GemmVariant variant = settle(p);
  const GemmChoices* choices = choices_of(variant.kernel);
  return choices == nullptr ? 0 : choices->expected_us(p, variant, info_);
}

void CudaDevice::gemm_alone(const Product& p, CudaStream& stream) {
  if (std::holds_alternative<SquaredErrorLoss>(p.epilogue) && gemm_variants(p).empty()) {
    Product without_loss = p;  // too many blocks to sum the loss here
    without_loss.epilogue = StoreProduct{};
    gemm_alone(without_loss, stream);
    return finish_apart(p, stream);
  }
  const GemmVariant variant = settle(p);
  const GemmCode& code = *code_of(variant.kernel);
  code.compute({*this, p, variant.tile, variant.split_k, stream});
  if (!code.fuses(p)) finish_apart(p, stream);
}

void CudaDevice::gemm(std::span<const Product> products, Stream& stream) {
  auto& cuda = dynamic_cast<CudaStream&>(stream);
  std::vector<Product> left;
  for (const Product& p : products) {
    check(p);
    if (p.c.rows > 0 && p.c.cols > 0) left.push_back(p);
  }
  if (left.empty()) return;
  std::size_t together = 0;
  if (left.size() > 1) {
    std::ranges::stable_sort(left, {}, [&](const Product& p) { return expected_us(p); });
    together = count_together(left);
  }
  const std::span<const Product> all(left);
  if (together > 0) {
    const auto kernels = gemm_kernels(left.front().precision, left.front().layout);
    choices_together(left.front(), kernels)->compute_together(all.first(together), info_, cuda);
  }
  for (const Product& p : all.subspan(together)) gemm_alone(p, cuda);
}

}  // namespace breakeven
