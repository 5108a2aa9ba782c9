// SPDX-License-Identifier: Apache-2.0
// Matrix products: OpenBLAS, and three loops that anyone can check by reading.
#include <cblas.h>

#include <array>
#include <string>

#include "kernels/failure.h"
#include "kernels/host/host_device.h"

namespace breakeven {
namespace {

constexpr std::array<std::string_view, 2> names{"openblas", "naive"};

struct Sizes {
  std::int64_t m, n, k;
};

Sizes sizes_of(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b) {
  const bool transposed_a = layout == GemmLayout::tn;
  return {transposed_a ? a.cols : a.rows, layout == GemmLayout::nt ? b.rows : b.cols,
          transposed_a ? a.rows : a.cols};
}

bool fit(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  const Sizes sizes = sizes_of(layout, a, b);
  const std::int64_t inner_of_b = layout == GemmLayout::nt ? b.cols : b.rows;
  return sizes.m == c.rows && sizes.n == c.cols && sizes.k == inner_of_b;
}

std::string size_text(const ConstMatrix& matrix) {
  return std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols);
}

void openblas_gemm(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  const auto transposed_a = layout == GemmLayout::tn ? CblasTrans : CblasNoTrans;
  const auto transposed_b = layout == GemmLayout::nt ? CblasTrans : CblasNoTrans;
  const auto narrow = [](std::int64_t size) { return static_cast<blasint>(size); };
  cblas_sgemm(CblasRowMajor, transposed_a, transposed_b, narrow(c.rows), narrow(c.cols),
              narrow(sizes_of(layout, a, b).k), 1.0f, a.data, narrow(a.ld), b.data, narrow(b.ld), 0.0f,
              c.data, narrow(c.ld));
}

void naive_gemm(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  const std::int64_t inner = sizes_of(layout, a, b).k;
  for (std::int64_t m = 0; m < c.rows; ++m) {
    for (std::int64_t n = 0; n < c.cols; ++n) {
      float sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        const float a_mk = layout == GemmLayout::tn ? a.data[k * a.ld + m] : a.data[m * a.ld + k];
        const float b_kn = layout == GemmLayout::nt ? b.data[n * b.ld + k] : b.data[k * b.ld + n];
        sum += a_mk * b_kn;
      }
      c.data[m * c.ld + n] = sum;
    }
  }
}

}  // namespace

std::span<const std::string_view> HostDevice::gemm_names() const { return names; }

void HostDevice::gemm(GemmLayout layout, int gemm, ConstMatrix a, ConstMatrix b, Matrix c,
                      Stream& /*stream*/) {
  if (!fit(layout, a, b, c) || gemm < 0 || gemm >= static_cast<int>(names.size())) {
    throw Failure(ExitCode::wrong_numbers, std::string(__FILE__) + ":" + std::to_string(__LINE__) +
                                               ": gemm " + std::to_string(gemm) + " -> no such product (A " +
                                               size_text(a) + ", B " + size_text(b) + ", C " + size_text(c) +
                                               ")");
  }
  if (gemm == 0) {
    openblas_gemm(layout, a, b, c);
  } else {
    naive_gemm(layout, a, b, c);
  }
}

}  // namespace breakeven
