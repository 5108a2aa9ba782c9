// SPDX-License-Identifier: Apache-2.0
#include "mpi/nccl/nccl_call.h"

#include "src/core/failure.h"

namespace breakeven {

std::string_view nccl_result_name(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "ncclSuccess";
    case ncclUnhandledCudaError:
      return "ncclUnhandledCudaError";
    case ncclSystemError:
      return "ncclSystemError";
    case ncclInternalError:
      return "ncclInternalError";
    case ncclInvalidArgument:
      return "ncclInvalidArgument";
    case ncclInvalidUsage:
      return "ncclInvalidUsage";
    case ncclRemoteError:
      return "ncclRemoteError";
    case ncclInProgress:
      return "ncclInProgress";
    default:
      return "ncclResult unknown to this program";
  }
}

void fail_nccl(ncclResult_t result, const char* call, const char* file, int line, const std::string& doing) {
  std::string said = std::string(nccl_result_name(result)) + ": " + ncclGetErrorString(result);
  const std::string last_error = ncclGetLastError(nullptr);  // the message itself; may be of an earlier call
  if (!last_error.empty()) said += "; last NCCL message: " + last_error;
  throw failed_call(call, file, line, said, doing);
}

}  // namespace breakeven
