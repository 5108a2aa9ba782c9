// SPDX-License-Identifier: Apache-2.0
// Loaded before other libraries by every test that may start ranks, but those of GPUs. A rank that waits asks
// Open MPI again and again, with sched_yield() in between (mpi_yield_when_idle), and takes processors from the
// tests beside its own. Most messages are there within a few questions; a rank that has asked often sleeps in
// between.
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const long asked_again_ns = 3000;  // where nothing has arrived, Open MPI comes back within it
static const int questions = 200;         // before the first pause
static const long pause_ns = 50000;

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

int sched_yield(void) {
  static _Thread_local long answered_ns;
  static _Thread_local int asked;
  if (now_ns() - answered_ns > asked_again_ns) asked = 0;
  if (++asked <= questions)
    syscall(SYS_sched_yield);
  else
    nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
  answered_ns = now_ns();
  return 0;
}
