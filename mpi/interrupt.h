// SPDX-License-Identifier: Apache-2.0
// Requests to stop, from a batch system near its time limit or from the user, and pauses.
#pragma once

#include <sys/types.h>

#include <string>

namespace breakeven {

// From now on the first SIGTERM, SIGINT, SIGHUP or SIGUSR1 only sets a flag, so the current run can be
// finished and written. A second one ends the process at once with ExitCode::interrupted. SIGHUP stays
// ignored under nohup. Ask a launcher for SIGUSR1 (`srun --signal=USR1@120`; mpirun passes it on): after
// SIGTERM, SIGINT or SIGHUP, Open MPI's mpirun kills its ranks within a second unless --mca
// odls_base_sigkill_timeout says otherwise.
void install_interrupt_handler();

// What the first of these signals writes to stderr at once, until the next call: a launcher may leave no time
// for more. One rank of a launch calls it. False if an earlier text has been written.
bool say_when_interrupted(const std::string& text);
// From here on. A launch that ends with an error has said why, and its launcher then stops the other ranks.
void say_nothing_when_interrupted();

// Whether this rank has been asked to stop. Ranks learn of it at different times: agree before acting on it.
bool interrupted();

// From now on SIGTSTP also stops `companion`, and SIGCONT continues it.
void suspend_with(pid_t companion);

// How often this process has been continued, after SIGTSTP, SIGSTOP or without a stop. A time that was
// measured meanwhile may contain a pause. Open MPI's mpirun continues its ranks a second before it sends them
// SIGTERM. Needs suspend_with().
unsigned times_continued();

}  // namespace breakeven
