// SPDX-License-Identifier: Apache-2.0
// Checks every call of CUDA and every launch. A failed one throws Failure, one line with its place, its text,
// the error's name and text, and what was being done.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "src/core/failure.h"

namespace breakeven {

// `doing` and `bytes` are those of failed_call().
void check_cuda(cudaError_t result, const char* call, const char* file, int line, std::string_view doing = {},
                std::size_t bytes = 0);

// Checks that the kernel just launched could start. Errors while it runs show at the next synchronisation.
void check_launch(const char* kernel, const char* file, int line, std::initializer_list<std::int64_t> shape);

}  // namespace breakeven

// CUDA_CALL(cudaStreamSynchronize(s)) or CUDA_CALL(cudaMalloc(&p, bytes), "gemm workspace", bytes).
#define CUDA_CALL(call, ...) \
  ::breakeven::check_cuda((call), #call, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__)
// CHECK_LAUNCH("gemm_tiled_kernel", m, n, k): the numbers are the shape.
#define CHECK_LAUNCH(kernel, ...) ::breakeven::check_launch(kernel, __FILE__, __LINE__, {__VA_ARGS__})
