// SPDX-License-Identifier: Apache-2.0
// Checks every call of MPI. A failed one throws Failure with its place, its text and MPI's error text.
#pragma once

#include <mpi.h>

#include <string>

namespace breakeven {

[[noreturn]] void fail_mpi(int result, const char* call, const char* file, int line,
                           const std::string& doing);

}  // namespace breakeven

// MPI_CALL(MPI_Barrier(group)) or MPI_CALL(MPI_Barrier(group), "what it is for"); the text is evaluated only
// if the call fails. Needs communicators whose handler is MPI_ERRORS_RETURN, as all of breakeven's are.
#define MPI_CALL(call, ...)                                                                   \
  do {                                                                                        \
    if (const int mpi_result = (call); mpi_result != MPI_SUCCESS)                             \
      ::breakeven::fail_mpi(mpi_result, #call, __FILE__, __LINE__, std::string(__VA_ARGS__)); \
  } while (false)
