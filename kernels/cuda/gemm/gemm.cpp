// SPDX-License-Identifier: Apache-2.0
// The matrix products of this device by name, and what they all check.
#include <array>
#include <string>

#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm_cublas.h"
#include "kernels/cuda/gemm_tiled.h"
#include "kernels/failure.h"

namespace breakeven {
namespace {

constexpr std::array<std::string_view, 2> names{"tiled", "cublas"};

std::string size_of(const ConstMatrix& matrix) {
  return std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols);
}

bool shapes_agree(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c) {
  switch (layout) {
    case GemmLayout::nt:
      return a.rows == c.rows && b.rows == c.cols && a.cols == b.cols;
    case GemmLayout::nn:
      return a.rows == c.rows && b.cols == c.cols && a.cols == b.rows;
    case GemmLayout::tn:
      return a.cols == c.rows && b.cols == c.cols && a.rows == b.rows;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> CudaDevice::gemm_names() const { return names; }

void CudaDevice::gemm(GemmLayout layout, int gemm, ConstMatrix a, ConstMatrix b, Matrix c, Stream& stream) {
  if (!shapes_agree(layout, a, b, c) || gemm < 0 || gemm >= static_cast<int>(names.size())) {
    throw Failure(ExitCode::wrong_numbers, std::string(__FILE__) + ":" + std::to_string(__LINE__) +
                                               ": gemm " + std::to_string(gemm) + " -> no such product (A " +
                                               size_of(a) + ", B " + size_of(b) + ", C " + size_of(c) + ")");
  }
  auto& cuda = dynamic_cast<CudaStream&>(stream);
  if (gemm == 0) {
    const std::int64_t k = layout == GemmLayout::tn ? a.rows : a.cols;
    gemm_tiled(layout, plan_gemm(c.rows, c.cols, k, info_.multiprocessors), a, b, c, cuda);
  } else {
    gemm_cublas(cublas(), layout, a, b, c, cuda);
  }
}

}  // namespace breakeven
