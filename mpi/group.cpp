// SPDX-License-Identifier: Apache-2.0
#include "mpi/group.h"

#include "mpi/mpi_call.h"

namespace breakeven {

int rank_in(MPI_Comm group) {
  int rank = 0;
  MPI_CALL(MPI_Comm_rank(group, &rank));
  return rank;
}

int size_of(MPI_Comm group) {
  int size = 0;
  MPI_CALL(MPI_Comm_size(group, &size));
  return size;
}

bool all_agree(MPI_Comm group, bool mine) {
  int all = mine ? 1 : 0;
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, group));
  return all != 0;
}

OwnGroup::~OwnGroup() {
  int finalized = 0;
  if (group_ != MPI_COMM_NULL && MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0)
    MPI_Comm_free(&group_);
}

}  // namespace breakeven
