// SPDX-License-Identifier: Apache-2.0
// Gathers records of fixed size from all ranks by one MPI_Allgather of bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mpi/mpi_call.h"

namespace breakeven {

// Copies text into a zeroed array of a record; cuts it if it is too long.
template <std::size_t size>
void pack_text(char (&to)[size], const std::string& from) {
  from.copy(to, size - 1);
}

// All ranks' records in rank order; each rank has the same number. T holds no pointers.
template <typename T>
std::vector<T> gather_records(MPI_Comm group, const std::vector<T>& mine) {
  int ranks = 0;
  MPI_CALL(MPI_Comm_size(group, &ranks));
  std::vector<T> all(mine.size() * static_cast<std::size_t>(ranks));
  const int bytes = static_cast<int>(mine.size() * sizeof(T));
  MPI_CALL(MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, group));
  return all;
}

}  // namespace breakeven
