// SPDX-License-Identifier: Apache-2.0
// Matrix products: OpenBLAS, and three plain loops. All precisions compute in fp32 from rounded operands, so
// both are references for the CUDA kernels.
#include <cblas.h>

#include <algorithm>
#include <array>
#include <string>

#include "kernels/host/dtype.h"
#include "kernels/host/epilogue.h"
#include "kernels/host/host_device.h"
#include "kernels/host/rows.h"
#include "kernels/round_fraction.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

constexpr std::array<GemmKernel, 2> kernels{GemmKernel::openblas, GemmKernel::naive};

// An operand as floats: in place if it needs no rounding, else a copy.
class Operand {
 public:
  Operand(const ConstMatrix& stored, Precision precision) : matrix_(stored) {
    const int fraction_bits = info_of(precision).fp32_fraction_bits;
    if (stored.dtype == Dtype::fp32 && fraction_bits == 23) return;
    copy_.resize(static_cast<std::size_t>(stored.rows * stored.cols));
    const Matrix copy{copy_.data(), stored.rows, stored.cols, stored.cols};
    RowBuffer buffer;
    for (std::int64_t row = 0; row < stored.rows; ++row) store_row(read_row(stored, row, buffer), copy, row);
    for (float& value : copy_) value = round_fraction(value, fraction_bits);
    matrix_ = copy;
  }
  const ConstMatrix& matrix() const { return matrix_; }

 private:
  std::vector<float> copy_;
  ConstMatrix matrix_;
};

void openblas_gemm(GemmLayout layout, const GemmShape& shape, const ConstMatrix& a, const ConstMatrix& b,
                   const Matrix& c) {
  const auto transposed_a = layout == GemmLayout::tn ? CblasTrans : CblasNoTrans;
  const auto transposed_b = layout == GemmLayout::nt ? CblasTrans : CblasNoTrans;
  const auto narrow = [](std::int64_t size) { return static_cast<blasint>(size); };
  cblas_sgemm(CblasRowMajor, transposed_a, transposed_b, narrow(shape.m), narrow(shape.n), narrow(shape.k),
              1.0f, a.floats(), narrow(a.ld), b.floats(), narrow(b.ld), 0.0f, c.floats(), narrow(c.ld));
}

void naive_gemm(GemmLayout layout, const GemmShape& shape, const ConstMatrix& a, const ConstMatrix& b,
                const Matrix& c) {
  const float* a_values = a.floats();
  const float* b_values = b.floats();
  for (std::int64_t m = 0; m < shape.m; ++m) {
    for (std::int64_t n = 0; n < shape.n; ++n) {
      float sum = 0;
      for (std::int64_t k = 0; k < shape.k; ++k) {
        const float a_mk = layout == GemmLayout::tn ? a_values[k * a.ld + m] : a_values[m * a.ld + k];
        const float b_kn = layout == GemmLayout::nt ? b_values[n * b.ld + k] : b_values[k * b.ld + n];
        sum += a_mk * b_kn;
      }
      c.floats()[m * c.ld + n] = sum;
    }
  }
}

void check_kernel(GemmKernel kernel) {
  if (std::ranges::find(kernels, kernel) != kernels.end()) return;
  throw misused_call("gemm", __FILE__, __LINE__, "the host has no kernel " + std::string(name_of(kernel)));
}

// The sums of a product before its epilogue: C itself if C is fp32.
void multiply(const Product& p, const Matrix& sums) {
  const Operand a(p.a, p.precision);
  const Operand b(p.b, p.precision);
  const auto compute = p.variant.kernel == GemmKernel::openblas ? openblas_gemm : naive_gemm;
  compute(p.layout, shape_of(p), a.matrix(), b.matrix(), sums);
}

}  // namespace

std::span<const GemmKernel> HostDevice::gemm_kernels(Precision /*precision*/) const { return kernels; }

std::span<const GemmKernel> HostDevice::gemm_kernels(Precision /*precision*/, GemmLayout /*layout*/) const {
  return kernels;
}

std::vector<GemmVariant> HostDevice::gemm_variants(const Product& /*product*/) const {
  std::vector<GemmVariant> variants;
  for (const GemmKernel kernel : kernels) variants.push_back({kernel});
  return variants;
}

void HostDevice::gemm(std::span<const Product> products, Stream& stream) {
  for (const Product& p : products) {
    check_product(p);
    check_kernel(p.variant.kernel);
  }
  for (const Product& p : products) {
    std::vector<float> room;
    Matrix sums = p.c;
    if (p.c.dtype != Dtype::fp32) {
      room.resize(static_cast<std::size_t>(p.c.rows * p.c.cols));
      sums = {room.data(), p.c.rows, p.c.cols, p.c.cols};
    }
    multiply(p, sums);
    apply_epilogue(p, sums, *this, stream);
  }
}

}  // namespace breakeven
