// SPDX-License-Identifier: Apache-2.0
// Loaded before other libraries by every test but those of GPUs. A rank that waits asks Open MPI again and again, with
// sched_yield() in between (mpi_yield_when_idle), and takes processors from the tests beside its own: half of the suite's
// processor time on two cores. Here it sleeps instead.
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

int sched_yield(void) {
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = 50000};
  nanosleep(&pause, NULL);
  return 0;
}
