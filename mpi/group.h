// SPDX-License-Identifier: Apache-2.0
// Groups of ranks, as MPI communicators.
#pragma once

#include <mpi.h>

namespace breakeven {

int rank_in(MPI_Comm group);
int size_of(MPI_Comm group);
// Whether all ranks of the group say so. Waits for them.
bool all_agree(MPI_Comm group, bool mine);

// Frees the group, if it is one and MPI has not ended: an owner may outlive MPI where the program ends with
// an error.
class OwnGroup {
 public:
  explicit OwnGroup(MPI_Comm group = MPI_COMM_NULL) : group_(group) {}
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup();

 private:
  MPI_Comm group_;
};

}  // namespace breakeven
