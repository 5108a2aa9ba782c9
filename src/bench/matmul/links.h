// SPDX-License-Identifier: Apache-2.0
// The communicators that carry a form's pieces between the ranks [0, ranks).
#pragma once

#include <map>
#include <memory>

#include "mpi/communicator.h"
#include "src/bench/matmul/split.h"
#include "src/measure/run_context.h"

namespace breakeven::bench {

// All are null on one rank. A row or column of the mesh with one rank has no communicator.
struct Links {
  int rank = 0;
  int ranks = 1;
  Communicator* host = nullptr;      // between buffers in host memory
  Communicator* bridge = nullptr;    // between devices through host memory
  Communicator* device = nullptr;    // between devices over the fastest transport of the launch
  Communicator* mesh_row = nullptr;  // like `device`, among the ranks of this rank's row of the mesh
  Communicator* mesh_col = nullptr;
  bool is_root() const { return rank == 0; }
};

// Makes each communicator once, since connecting takes longer than most products.
class LinkCache {
 public:
  LinkCache(measure::RunContext& context, Transport transport) : context_(context), transport_(transport) {}

  // Collective over the ranks [0, ranks) at the first call with a number of ranks.
  const Links& links(int ranks);

 private:
  struct Made {
    Links links;
    std::unique_ptr<Communicator> host, mesh_row, mesh_col;
  };
  std::unique_ptr<Communicator> part_of(MPI_Comm group, int color, int rank);

  measure::RunContext& context_;
  Transport transport_;
  std::map<int, Made> made_;
};

}  // namespace breakeven::bench
