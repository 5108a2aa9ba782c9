// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_check.h"

#include <string>

#include "src/core/failure.h"

namespace breakeven {
namespace {

std::string place_and_call(const char* file, int line, const char* call) {
  return std::string(file) + ":" + std::to_string(line) + ": " + call + " -> ";
}

std::string name_and_words(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

std::string in_brackets(std::string_view doing, std::size_t bytes) {
  if (doing.empty()) return "";
  return " (" + std::string(doing) + (bytes != 0 ? ", " + std::to_string(bytes) + " bytes)" : ")");
}

}  // namespace

void check_cuda(cudaError_t result, const char* call, const char* file, int line, std::string_view doing,
                std::size_t bytes) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // clears the error for the next check
  throw Failure(ExitCode::environment,
                place_and_call(file, line, call) + name_and_words(result) + in_brackets(doing, bytes));
}

void check_launch(const char* kernel, const char* file, int line, std::initializer_list<std::int64_t> shape) {
  const cudaError_t result = cudaGetLastError();
  if (result == cudaSuccess) return;
  std::string sizes;
  for (const std::int64_t size : shape) sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
  throw Failure(ExitCode::environment, place_and_call(file, line, kernel) + name_and_words(result) +
                                           in_brackets(sizes.empty() ? "launch" : "launch for " + sizes, 0));
}

}  // namespace breakeven
