// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemm/hopper_map.h"

#include <dlfcn.h>

#include <limits>
#include <string>

#include "kernels/cuda/cuda_check.h"

namespace breakeven::hopper {
namespace {

// Looks up the driver's function at run time: if the program linked the driver, it could not start on
// machines without a GPU.
decltype(&cuTensorMapEncodeTiled) find_encoder() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void* function = driver != nullptr ? dlsym(driver, "cuTensorMapEncodeTiled") : nullptr;
  if (function == nullptr) {
    const char* cause = dlerror();
    throw failed_call("dlsym", __FILE__, __LINE__, cause != nullptr ? cause : "no cause given",
                      "cuTensorMapEncodeTiled");
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

CUtensorMapDataType type_of_operand(Dtype dtype) {
  switch (dtype) {
    case Dtype::bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case Dtype::fp16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case Dtype::fp32:
      break;
  }
  return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
}

struct Box {
  int rows, cols;
  CUtensorMapDataType type;
  CUtensorMapSwizzle swizzle;
};

CUtensorMap encode(const ConstMatrix& matrix, const Box& of) {
  static const auto encoder = find_encoder();
  const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(matrix.cols), static_cast<cuuint64_t>(matrix.rows)};
  const cuuint64_t row_bytes[1] = {static_cast<cuuint64_t>(matrix.ld * bytes_of(matrix.dtype))};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(of.cols), static_cast<cuuint32_t>(of.rows)};
  const cuuint32_t every_element[2] = {1, 1};
  CUtensorMap map;
  const CUresult result = encoder(&map, of.type, 2, const_cast<void*>(matrix.data), sizes, row_bytes, box,
                                  every_element, CU_TENSOR_MAP_INTERLEAVE_NONE, of.swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw failed_call("cuTensorMapEncodeTiled", __FILE__, __LINE__, "error " + std::to_string(result),
                      std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols));
  }
  return map;
}

}  // namespace

bool can_map(const ConstMatrix& matrix) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return matrix.rows > 0 && matrix.cols > 0 && matrix.rows <= most && matrix.cols <= most &&
         matrix.ld * bytes_of(matrix.dtype) % 16 == 0 &&
         reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
}

CUtensorMap map_of(const ConstMatrix& matrix, int box_rows) {
  const int cols = static_cast<int>(128 / bytes_of(matrix.dtype));
  return encode(matrix, {box_rows, cols, type_of_operand(matrix.dtype), CU_TENSOR_MAP_SWIZZLE_128B});
}

CUtensorMap map_of_floats(const ConstMatrix& matrix, int box_rows, int box_cols) {
  return encode(matrix, {box_rows, box_cols, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_SWIZZLE_NONE});
}

}  // namespace breakeven::hopper
