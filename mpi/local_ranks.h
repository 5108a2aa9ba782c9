// SPDX-License-Identifier: Apache-2.0
// The launch's processes on this host as the kernel sees them (/proc), so that a rank that cannot speak can
// be named by another.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace breakeven {

struct LocalRank {
  pid_t process = 0;
  int rank = -1;     // -1: started without a launcher
  char state = '?';  // as in /proc/PID/stat: R runs, S sleeps, D waits for a disk, T is stopped, Z has ended
  std::uint64_t work = 0;  // CPU time of all threads in ticks + context switches of the main thread

  bool is_stopped() const { return state == 'T' || state == 't'; }
};

// The host's name without its domain.
std::string host_name();

// The rank of this process by its environment, before MPI knows it; -1 without PMIx.
int rank_by_environment();

// Nothing if there is no such process.
std::optional<LocalRank> look_at(pid_t process);

// All processes that run the program of `mine` in the same launch (PMIX_NAMESPACE), by rank, without those
// named `except`. Only `mine` where the launcher has no PMIx.
std::vector<LocalRank> local_ranks(pid_t mine, const std::string& except);

// What keeps one of `now` from answering: it is stopped, or it has done nothing since `before`, while a rank
// that waits for others in MPI polls. Null if all are at work.
const LocalRank* silent_rank(const std::vector<LocalRank>& before, const std::vector<LocalRank>& now);

}  // namespace breakeven
