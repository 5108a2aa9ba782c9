// SPDX-License-Identifier: Apache-2.0
// Checks every call of NCCL. A failed one throws Failure with its place, its text and NCCL's error text.
#pragma once

#include <nccl.h>

#include <string>
#include <string_view>

namespace breakeven {

std::string_view nccl_result_name(ncclResult_t result);  // "ncclSystemError"

[[noreturn]] void fail_nccl(ncclResult_t result, const char* call, const char* file, int line,
                            const std::string& doing);

}  // namespace breakeven

// NCCL_CALL(ncclAllReduce(...)) or NCCL_CALL(ncclAllReduce(...), "1048576 bytes"); the text is evaluated only
// if the call fails.
#define NCCL_CALL(call, ...)                                                                    \
  do {                                                                                          \
    if (const ncclResult_t nccl_result = (call); nccl_result != ncclSuccess)                    \
      ::breakeven::fail_nccl(nccl_result, #call, __FILE__, __LINE__, std::string(__VA_ARGS__)); \
  } while (false)
