// SPDX-License-Identifier: Apache-2.0
// Ends the job when nothing is finished in time, from before MPI_Init until the process has ended.
#pragma once

namespace breakeven {

// Forks a process that watches this one. Not a thread, because a thread stands still when its process is
// stopped, is gone when the others wait for a rank that hangs after MPI_Finalize, and cannot watch static
// destructors. Not the parent of the rank, because launchers, debuggers and profilers know the rank by its
// own process. Call it before MPI, CUDA or any thread starts, once.
//
// When an activity (report_activity_as) takes longer than the limit, the watchdog looks at all ranks of its
// host. It prints one line for the rank that is stopped, or that neither computes nor polls: "[rank 1 node07]
// no answer within 60 s: ...". If all ranks of the host are at work, another host may have the silent one,
// and its watchdog is given a second to say so. Then it ends all ranks of the host with ExitCode::timeout,
// the stopped ones too, and the launcher ends the other hosts'. The line comes within three seconds of the
// limit.
//
// Time in which the watchdog itself does not run does not count: the job was suspended as a whole. It writes
// nothing to any file, and ends with its parent, whose shared memory segment it then removes if MPI could
// not.
void start_watchdog(double limit_seconds);

// From now on. Infinity is no limit.
void set_time_limit(double seconds);

}  // namespace breakeven
