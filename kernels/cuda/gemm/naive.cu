// SPDX-License-Identifier: Apache-2.0
// The GEMM kernel naive: one thread per value of C, which reads a row of A and a column of B. Only caches
// reuse data. It is the reference that the other kernels are compared with.
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/dtype.cuh"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/round_fraction.h"

namespace breakeven {
namespace {

constexpr unsigned block_side = 16;

template <typename T, typename TC>
__global__ void gemm_naive_kernel(GemmLayout layout, int fraction_bits, ConstMatrix a, ConstMatrix b,
                                  Matrix c, std::int64_t k_size) {
  const std::int64_t n = std::int64_t{blockIdx.x} * block_side + threadIdx.x;
  if (n >= c.cols) return;
  for (std::int64_t m = std::int64_t{blockIdx.y} * block_side + threadIdx.y; m < c.rows;
       m += std::int64_t{gridDim.y} * block_side) {
    float sum = 0;
    for (std::int64_t k = 0; k < k_size; ++k) {
      const float a_mk = to_float(a.as<T>()[layout == GemmLayout::tn ? k * a.ld + m : m * a.ld + k]);
      const float b_kn = to_float(b.as<T>()[layout == GemmLayout::nt ? n * b.ld + k : k * b.ld + n]);
      sum += round_fraction(a_mk, fraction_bits) * round_fraction(b_kn, fraction_bits);
    }
    c.as<TC>()[m * c.ld + n] = from_float<TC>(sum);
  }
}

// tf32x3 multiplies in fp32.
void gemm_naive(const GemmCall& call) {
  const Product& p = call.product;
  const GemmShape shape = shape_of(p);
  const auto blocks = [](std::int64_t size, std::int64_t most) {
    return static_cast<unsigned>(std::min<std::int64_t>((size + block_side - 1) / block_side, most));
  };
  const dim3 grid(blocks(shape.n, INT32_MAX), blocks(shape.m, 65535));
  with_dtype(p.a.dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const int fraction_bits = info_of(p.precision).fp32_fraction_bits;
    const auto kernel = p.c.dtype == Dtype::fp32 ? gemm_naive_kernel<T, float> : gemm_naive_kernel<T, T>;
    kernel<<<grid, dim3(block_side, block_side), 0, call.stream.raw()>>>(p.layout, fraction_bits, p.a, p.b,
                                                                         p.c, shape.k);
  });
  CHECK_LAUNCH("gemm_naive_kernel", shape.m, shape.n, shape.k);
}

}  // namespace

const GemmCode gemm_codes::naive{.computes = [](Precision, GemmLayout, const DeviceInfo&) { return true; },
                                 .compute = gemm_naive};

}  // namespace breakeven
