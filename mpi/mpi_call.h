// SPDX-License-Identifier: Apache-2.0
// Every call of MPI is checked: a failed one is thrown with its place, its text and MPI's own words.
#pragma once

#include <mpi.h>

#include <string>

namespace breakeven {

[[noreturn]] void fail_mpi(int result, const char* call, const char* file, int line,
                           const std::string& doing);

}  // namespace breakeven

// MPI_CALL(MPI_Barrier(group)) or MPI_CALL(MPI_Barrier(group), "what it is for"), which is evaluated only
// where the call fails. MPI reports errors to the caller only on communicators whose handler is
// MPI_ERRORS_RETURN, as all of the program's are.
#define MPI_CALL(call, ...)                                                                   \
  do {                                                                                        \
    if (const int mpi_result = (call); mpi_result != MPI_SUCCESS)                             \
      ::breakeven::fail_mpi(mpi_result, #call, __FILE__, __LINE__, std::string(__VA_ARGS__)); \
  } while (false)
