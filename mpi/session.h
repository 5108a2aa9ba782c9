// SPDX-License-Identifier: Apache-2.0
// One rank's MPI session: who the ranks are, and how a failure of one rank ends all.
#pragma once

#include <mpi.h>

#include <string>

#include "src/core/failure.h"

namespace breakeven {

// Initialises MPI, after setting safe defaults for environment variables (session.cpp), and tells the
// terminate handler (terminate.h) this rank's identity. Do not catch exceptions between main and the work:
// the destructor is collective and must not run on one rank alone.
class Session {
 public:
  Session(int* argc, char*** argv);
  ~Session();                        // MPI_Finalize; not after an exception
  Session(const Session&) = delete;  // one process, one session
  Session& operator=(const Session&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int node_rank() const { return node_rank_; }  // place among the ranks of this host (shared-memory split)
  int node_size() const { return node_size_; }
  bool is_root() const { return rank_ == 0; }
  const std::string& host() const { return host_; }
  MPI_Comm world() const { return world_; }  // a duplicate of MPI_COMM_WORLD

  // The largest of all ranks' exit codes, which every rank then returns from main.
  ExitCode agree(ExitCode mine) const;

  bool any(bool mine) const;  // whether it is true on any rank

  // Ends the job with the code that all ranks agree on, so that the launcher prints nothing behind our own
  // sentence. Returns where the launcher has no such way, or with ExitCode::success: return the code from
  // main then. Destroy devices before.
  void end_quietly(ExitCode code) const;

  // The ranks [0, count) as a communicator; MPI_COMM_NULL on other ranks. Collective over those ranks only.
  MPI_Comm first_ranks(int count) const;

  // A barrier that sleeps instead of spinning, for ranks that take no part in a case.
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
