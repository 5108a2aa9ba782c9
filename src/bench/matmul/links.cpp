// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/links.h"

#include <climits>

#include "mpi/mpi_call.h"
#include "mpi/mpi_communicator.h"
#include "mpi/transports.h"

namespace breakeven::bench {

// A communicator of the ranks of `group` that give the same color. Like the groups of the RunContext, the new
// group lives until MPI ends.
std::unique_ptr<Communicator> LinkCache::part_of(MPI_Comm group, int color, int rank) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_CALL(MPI_Comm_split(group, color, rank, &part));
  return make_communicator(transport_, part, context_.device());
}

const Links& LinkCache::links(int ranks) {
  const auto known = made_.find(ranks);
  if (known != made_.end()) return known->second.links;
  Made& made = made_[ranks];
  Links& links = made.links;
  links.rank = context_.session().rank();
  links.ranks = ranks;
  if (ranks == 1) return links;

  const MPI_Comm group = context_.group(ranks);
  made.host = std::make_unique<MpiCommunicator>(group, context_.device(), MpiPath::direct, INT_MAX);
  links.host = made.host.get();
  links.bridge = context_.communicator(Transport::mpi, ranks);
  links.device = context_.communicator(transport_, ranks);
  const Mesh mesh = mesh_of(ranks);
  if (mesh.cols > 1) made.mesh_row = part_of(group, mesh.row_of(links.rank), links.rank);
  if (mesh.rows > 1) made.mesh_col = part_of(group, mesh.col_of(links.rank), links.rank);
  links.mesh_row = made.mesh_row.get();
  links.mesh_col = made.mesh_col.get();
  return links;
}

}  // namespace breakeven::bench
