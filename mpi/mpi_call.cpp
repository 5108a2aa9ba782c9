// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_call.h"

#include "src/core/failure.h"

namespace breakeven {

void fail_mpi(int result, const char* call, const char* file, int line, const std::string& doing) {
  char description[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(result, description, &length);
  throw failed_call(call, file, line, description, doing);
}

}  // namespace breakeven
