// SPDX-License-Identifier: Apache-2.0
// Records of fixed size, so that one MPI_Allgather of bytes collects them from all ranks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mpi/mpi_call.h"

namespace breakeven {

// Text into an array of the record, cut where it is too long; the rest of the array must be zero already.
template <std::size_t size>
void pack_text(char (&to)[size], const std::string& from) {
  from.copy(to, size - 1);
}

// Every rank's records, rank after rank; the same number on each. T holds no pointers.
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
