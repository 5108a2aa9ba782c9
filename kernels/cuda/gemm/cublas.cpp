// SPDX-License-Identifier: Apache-2.0
// Products by cuBLAS, for comparison with breakeven's kernels.
#include "kernels/cuda/allocation_allowed.h"
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm/data_type.h"
#include "kernels/cuda/gemm/gemm_code.h"

namespace breakeven {
namespace {

// As cuBLAS's manual recommends for Hopper; older GPUs need less.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

// cuBLAS is column-major, where C is C^T. So it computes C^T = B^T A^T with swapped operands; each is
// transposed for cuBLAS exactly when it is not for us.
void gemm_cublas(const GemmCall& call) {
  const Product& p = call.product;
  const cublasHandle_t cublas = call.device.cublas_handle();
  const GemmShape shape = shape_of(p);
  const auto transpose_b = p.layout == GemmLayout::nt ? CUBLAS_OP_T : CUBLAS_OP_N;
  const auto transpose_a = p.layout == GemmLayout::tn ? CUBLAS_OP_T : CUBLAS_OP_N;
  const float one = 1;
  const float zero = 0;
  CUBLAS_CALL(cublasSetStream(cublas, call.stream.raw()));
  // One workspace per stream: cuBLAS would allocate a new one in every captured graph. Must come after
  // cublasSetStream, which resets it.
  CUBLAS_CALL(cublasSetWorkspace(cublas, call.stream.cublas_workspace(workspace_bytes), workspace_bytes));
  CUBLAS_CALL(
      cublasGemmEx_64(cublas, transpose_b, transpose_a, shape.n, shape.m, shape.k, &one, p.b.data,
                      data_type(p.b.dtype), p.b.ld, p.a.data, data_type(p.a.dtype), p.a.ld, &zero, p.c.data,
                      data_type(p.c.dtype), p.c.ld, compute_type(p.precision).value(), CUBLAS_GEMM_DEFAULT),
      "C = A B by cuBLAS");
}

}  // namespace

cublasHandle_t CudaDevice::cublas_handle() {
  if (!cublas_) {
    const AllocationAllowed allowed;
    CUBLAS_CALL(cublasCreate(cublas_.out()), "cuBLAS for this device");
    // The default mode never rounds fp32 operands to TF32. The pedantic mode is not more precise, and
    // excludes some faster algorithms.
    CUBLAS_CALL(cublasSetMathMode(cublas_.get(), CUBLAS_DEFAULT_MATH));
  }
  return cublas_.get();
}

const GemmCode gemm_codes::cublas{
    .computes = [](Precision precision, GemmLayout,
                   const DeviceInfo&) { return compute_type(precision).has_value(); },
    .compute = gemm_cublas};

}  // namespace breakeven
