// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/cublas_library.h"

#include <string>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/toolkit_library.h"

namespace breakeven {

CublasLibrary::CublasLibrary() {
  // It brings cuBLASLt, on which it is built.
  const ToolkitLibrary library("libcublas.so", "multiplies matrices for comparison");
#define BREAKEVEN_TEXT(name) #name
#define BREAKEVEN_FIND(function) library.find(BREAKEVEN_TEXT(function), function);
  BREAKEVEN_CUBLAS_FUNCTIONS(BREAKEVEN_FIND)
#undef BREAKEVEN_FIND
#undef BREAKEVEN_TEXT
}

const CublasLibrary& cublas_library() {
  static const CublasLibrary library;
  return library;
}

void check_cublas(cublasStatus_t result, const char* call, const char* file, int line,
                  std::string_view doing) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  const CublasLibrary& library = cublas_library();
  throw failed_call(
      call, file, line,
      std::string(library.cublasGetStatusName(result)) + ": " + library.cublasGetStatusString(result), doing);
}

}  // namespace breakeven
