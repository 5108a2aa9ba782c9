// SPDX-License-Identifier: Apache-2.0
#include "kernels/versions.h"

#include "kernels/cuda/cuda_check.h"

namespace breakeven {
namespace {

// CUDA counts versions as 1000 major + 10 minor.
std::string major_minor(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cublas_part(libraryPropertyType part) {
  int value = 0;
  CUBLAS_CALL(cublasGetProperty(part, &value));
  return std::to_string(value);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> device_versions() {
  int runtime = 0;
  int driver = 0;
  CUDA_CALL(cudaRuntimeGetVersion(&runtime));
  CUDA_CALL(cudaDriverGetVersion(&driver));
  const std::string cublas =
      cublas_part(MAJOR_VERSION) + "." + cublas_part(MINOR_VERSION) + "." + cublas_part(PATCH_LEVEL);
  return {{"cuda", major_minor(runtime)}, {"cuda driver", major_minor(driver)}, {"cublas", cublas}};
}

}  // namespace breakeven
