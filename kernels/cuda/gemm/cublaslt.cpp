// SPDX-License-Identifier: Apache-2.0
// Products by cuBLASLt with the epilogues that it can fuse: bias, and bias with ReLU, but no dropout. For
// comparison with breakeven's kernels.
#include <string>

#include "kernels/cuda/allocation_allowed.h"
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gemm/data_type.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "src/core/handle.h"

namespace breakeven {
namespace {

constexpr std::size_t lt_workspace_bytes = std::size_t{32} << 20;

using Description = CublasHandle<cublasLtMatmulDesc_t, &CublasLibrary::cublasLtMatmulDescDestroy>;
using Layout = CublasHandle<cublasLtMatrixLayout_t, &CublasLibrary::cublasLtMatrixLayoutDestroy>;
using Preference = CublasHandle<cublasLtMatmulPreference_t, &CublasLibrary::cublasLtMatmulPreferenceDestroy>;

// The bias in C's dtype; null if the epilogue has none in that dtype.
struct FusedBias {
  const void* bias = nullptr;
  bool relu = false;
};

FusedBias fused_bias(const Product& p) {
  const bool wide = p.c.dtype == Dtype::fp32;
  if (const auto* e = std::get_if<AddBias>(&p.epilogue)) return {wide ? e->bias : e->working_bias, false};
  const auto* e = std::get_if<BiasReluDropout>(&p.epilogue);
  if (e == nullptr || e->dropout.rate > 0) return {};
  return {wide ? e->bias : e->working_bias, true};
}

// Column-major, in which a row-major matrix is its transpose.
void describe(const ConstMatrix& matrix, Layout& layout) {
  CUBLAS_CALL(cublasLtMatrixLayoutCreate(layout.out(), data_type(matrix.dtype),
                                         static_cast<std::uint64_t>(matrix.cols),
                                         static_cast<std::uint64_t>(matrix.rows), matrix.ld));
}

template <typename T>
void set(Description& description, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  CUBLAS_CALL(cublasLtMatmulDescSetAttribute(description.get(), attribute, &value, sizeof value));
}

void describe(const Product& p, Description& description) {
  CUBLAS_CALL(cublasLtMatmulDescCreate(description.out(), compute_type(p.precision).value(), CUDA_R_32F));
  set(description, CUBLASLT_MATMUL_DESC_TRANSA, p.layout == GemmLayout::nt ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(description, CUBLASLT_MATMUL_DESC_TRANSB, p.layout == GemmLayout::tn ? CUBLAS_OP_T : CUBLAS_OP_N);
  const FusedBias fused = fused_bias(p);
  if (fused.bias == nullptr) return;
  set(description, CUBLASLT_MATMUL_DESC_EPILOGUE,
      fused.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS);
  set(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, fused.bias);
}

bool fuses(const Product& product) {
  return std::holds_alternative<StoreProduct>(product.epilogue) || fused_bias(product).bias != nullptr;
}

void gemm_cublaslt(const GemmCall& call) {
  const Product& p = call.product;
  const cublasLtHandle_t handle = call.device.cublaslt_handle();
  Description description;
  describe(p, description);
  Layout a, b, c;
  describe(p.a, a);
  describe(p.b, b);
  describe(p.c, c);
  Preference preference;
  CUBLAS_CALL(cublasLtMatmulPreferenceCreate(preference.out()));
  CUBLAS_CALL(cublasLtMatmulPreferenceSetAttribute(preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                   &lt_workspace_bytes, sizeof lt_workspace_bytes));
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  // C^T = B^T A^T: the operands are swapped, as for cuBLAS.
  CUBLAS_CALL(cublasLtMatmulAlgoGetHeuristic(handle, description.get(), b.get(), a.get(), c.get(), c.get(),
                                             preference.get(), 1, &best, &found),
              "an algorithm of cuBLASLt");
  if (found == 0) {
    throw failed_call("cublasLtMatmulAlgoGetHeuristic", __FILE__, __LINE__, "cuBLASLt has no kernel",
                      "m " + std::to_string(p.c.rows) + ", n " + std::to_string(p.c.cols));
  }
  const float one = 1;
  const float zero = 0;
  CUBLAS_CALL(
      cublasLtMatmul(handle, description.get(), &one, p.b.data, b.get(), p.a.data, a.get(), &zero, p.c.data,
                     c.get(), p.c.data, c.get(), &best.algo, call.stream.cublas_workspace(lt_workspace_bytes),
                     lt_workspace_bytes, call.stream.raw()),
      "C = A B by cuBLASLt");
}

}  // namespace

cublasLtHandle_t CudaDevice::cublaslt_handle() {
  if (!cublaslt_) {
    const AllocationAllowed allowed;
    CUBLAS_CALL(cublasLtCreate(cublaslt_.out()), "cuBLASLt for this device");
  }
  return cublaslt_.get();
}

const GemmCode gemm_codes::cublaslt{
    .computes = [](Precision precision, GemmLayout,
                   const DeviceInfo&) { return compute_type(precision).has_value(); },
    .compute = gemm_cublaslt,
    .fuses = fuses};

}  // namespace breakeven
