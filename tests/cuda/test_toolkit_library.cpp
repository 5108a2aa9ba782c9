// SPDX-License-Identifier: Apache-2.0
// Libraries that are loaded where they are needed. This needs the toolkit, and no GPU.
#include "kernels/cuda/toolkit_library.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/cuda/gemm/cublas_library.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

template <typename Function>
std::string refusal(Function function) {
  try {
    function();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::environment);
    return failure.what();
  }
  return "nothing was refused";
}

TEST(ToolkitLibrary, CublasHasEveryFunction) {
  int major = 0;
  CUBLAS_CALL(cublasGetProperty(MAJOR_VERSION, &major));  // loads it, and looks every function up
  EXPECT_EQ(major, CUDART_VERSION / 1000);
}

TEST(ToolkitLibrary, NamesTheCallThatFails) {
  int value = 0;
  const std::string said =
      refusal([&] { CUBLAS_CALL(cublasGetProperty(libraryPropertyType(7), &value), "a part"); });
  EXPECT_NE(said.find(": cublasGetProperty(libraryPropertyType(7), &value) -> CUBLAS_STATUS_INVALID_VALUE: "),
            std::string::npos)
      << said;
  EXPECT_TRUE(said.ends_with(" (a part)")) << said;
}

TEST(ToolkitLibrary, SaysWhatCannotBeLoaded) {
  const std::string said = refusal([] { ToolkitLibrary("libabsent.so", "does nothing"); });
  EXPECT_TRUE(said.starts_with("libabsent.so." + std::to_string(CUDART_VERSION / 1000) +
                               ", which does nothing, cannot be loaded. Install this library"))
      << said;
}

TEST(ToolkitLibrary, SaysWhichFunctionIsAbsent) {
  const ToolkitLibrary library("libcublas.so", "multiplies");
  void (*function)() = nullptr;
  EXPECT_EQ(refusal([&] { library.find("cublasAbsent", function); }),
            "libcublas.so has no function cublasAbsent: it is too old");
  EXPECT_EQ(function, nullptr);
}

}  // namespace
}  // namespace breakeven
