// SPDX-License-Identifier: Apache-2.0
// The few functions of cuBLAS and cuBLASLt that breakeven calls, looked up at the first call of one.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include <string_view>

#include "src/core/handle.h"

// By their own names, which cublas_v2.h replaces by those of the library.
#define BREAKEVEN_CUBLAS_FUNCTIONS(EACH)     \
  EACH(cublasCreate)                         \
  EACH(cublasDestroy)                        \
  EACH(cublasGemmEx_64)                      \
  EACH(cublasGetProperty)                    \
  EACH(cublasGetStatusName)                  \
  EACH(cublasGetStatusString)                \
  EACH(cublasSetMathMode)                    \
  EACH(cublasSetStream)                      \
  EACH(cublasSetWorkspace)                   \
  EACH(cublasLtCreate)                       \
  EACH(cublasLtDestroy)                      \
  EACH(cublasLtMatmul)                       \
  EACH(cublasLtMatmulAlgoGetHeuristic)       \
  EACH(cublasLtMatmulDescCreate)             \
  EACH(cublasLtMatmulDescDestroy)            \
  EACH(cublasLtMatmulDescSetAttribute)       \
  EACH(cublasLtMatmulPreferenceCreate)       \
  EACH(cublasLtMatmulPreferenceDestroy)      \
  EACH(cublasLtMatmulPreferenceSetAttribute) \
  EACH(cublasLtMatrixLayoutCreate)           \
  EACH(cublasLtMatrixLayoutDestroy)

namespace breakeven {

struct CublasLibrary {
  CublasLibrary();

#define BREAKEVEN_DECLARE(function) decltype(&::function) function = nullptr;
  BREAKEVEN_CUBLAS_FUNCTIONS(BREAKEVEN_DECLARE)
#undef BREAKEVEN_DECLARE
};

// Loads it at the first call. Throws Failure(environment) where no library, or one too old, is found.
const CublasLibrary& cublas_library();

// A failed call throws Failure(environment), one line as of check_cuda.
void check_cublas(cublasStatus_t result, const char* call, const char* file, int line,
                  std::string_view doing = {});

template <auto destroy, typename T>
cublasStatus_t destroy_by_cublas(T object) {
  return (cublas_library().*destroy)(object);
}

// CublasHandle<cublasHandle_t, &CublasLibrary::cublasDestroy>
template <typename T, auto destroy>
using CublasHandle = Handle<T, destroy_by_cublas<destroy, T>>;

}  // namespace breakeven

// CUBLAS_CALL(cublasSetStream(handle, stream)) calls the library's function, with what is being done after
// it.
#define CUBLAS_CALL(call, ...)                                                   \
  ::breakeven::check_cublas(::breakeven::cublas_library().call, #call, __FILE__, \
                            __LINE__ __VA_OPT__(, ) __VA_ARGS__)
