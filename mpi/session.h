// SPDX-License-Identifier: Apache-2.0
// The life of one rank: MPI from start to end, who the ranks are, and how a failure of one ends them all.
#pragma once

#include <mpi.h>

#include <string>

#include "src/core/failure.h"

namespace breakeven {

// Initialises MPI, after setting safe defaults for variables that its libraries read (session.cpp), and tells
// the terminate handler (terminate.h) who we are. No catch may stand between main and the work: the
// destructor is collective and must not run on one rank alone.
class Session {
 public:
  Session(int* argc, char*** argv);
  ~Session();                        // MPI_Finalize, on the good path only
  Session(const Session&) = delete;  // one process, one session
  Session& operator=(const Session&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int node_rank() const { return node_rank_; }  // place among the ranks of this host (shared-memory split)
  int node_size() const { return node_size_; }
  bool is_root() const { return rank_ == 0; }
  const std::string& host() const { return host_; }
  MPI_Comm world() const { return world_; }  // a duplicate of MPI_COMM_WORLD: ours alone

  // The worst (largest) of all ranks' codes: what every rank then returns from main.
  ExitCode agree(ExitCode mine) const;

  // The ranks [0, count) as a communicator; MPI_COMM_NULL on the others. Collective
  // over those ranks alone.
  MPI_Comm first_ranks(int count) const;

  // A barrier that sleeps between looks instead of spinning, for ranks that sit a case out.
  void sleepy_barrier() const;

 private:
  int rank_ = 0;
  int size_ = 1;
  int node_rank_ = 0;
  int node_size_ = 1;
  std::string host_;
  MPI_Comm world_ = MPI_COMM_NULL;
};

}  // namespace breakeven
