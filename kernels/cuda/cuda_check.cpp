// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_check.h"

#include <string>

namespace breakeven {
namespace {

std::string name_and_words(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

}  // namespace

void check_cuda(cudaError_t result, const char* call, const char* file, int line, std::string_view doing,
                std::size_t bytes) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // clears the error for the next check
  throw failed_call(call, file, line, name_and_words(result), doing, bytes);
}

void check_launch(const char* kernel, const char* file, int line, std::initializer_list<std::int64_t> shape) {
  const cudaError_t result = cudaGetLastError();
  if (result == cudaSuccess) return;
  std::string sizes;
  for (const std::int64_t size : shape) sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
  throw failed_call(kernel, file, line, name_and_words(result),
                    sizes.empty() ? "launch" : "launch for " + sizes);
}

}  // namespace breakeven
