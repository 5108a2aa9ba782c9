// SPDX-License-Identifier: Apache-2.0
// The ways by which a form's pieces travel between the ranks [0, ranks).
#pragma once

#include <map>
#include <memory>

#include "mpi/communicator.h"
#include "src/bench/matmul/split.h"
#include "src/measure/run_context.h"

namespace breakeven {

// All are null on one rank, and a row or column of the mesh that has one rank has none.
struct Links {
  int rank = 0;
  int ranks = 1;
  Communicator* host = nullptr;      // between buffers in host memory
  Communicator* bridge = nullptr;    // between devices by way of host memory
  Communicator* device = nullptr;    // between devices: by the fastest transport of the launch
  Communicator* mesh_row = nullptr;  // as `device`, among the ranks of this one's row of the mesh
  Communicator* mesh_col = nullptr;
  bool is_root() const { return rank == 0; }
};

// Makes each once: connecting takes longer than most products.
class LinkCache {
 public:
  LinkCache(RunContext& bench, Transport transport) : bench_(bench), transport_(transport) {}

  // Collective over the ranks [0, ranks) at the first call with this number.
  const Links& links(int ranks);

 private:
  struct Made {
    Links links;
    std::unique_ptr<Communicator> host, mesh_row, mesh_col;
  };
  std::unique_ptr<Communicator> part_of(MPI_Comm group, int color, int rank);

  RunContext& bench_;
  Transport transport_;
  std::map<int, Made> made_;
};

}  // namespace breakeven
