// SPDX-License-Identifier: Apache-2.0
#include "mpi/versions.h"

#include <mpi.h>

#include "mpi/mpi_call.h"

namespace breakeven {

std::string mpi_library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_CALL(MPI_Get_library_version(text, &length));
  std::string line = text;
  line = line.substr(0, line.find('\n'));
  return line.substr(0, line.find_last_not_of(" \t\r,") + 1);
}

}  // namespace breakeven
