// SPDX-License-Identifier: Apache-2.0
// Loaded before other libraries by tests/cli/test_no_hang.py: does harm to one rank at a chosen call.
//   STALL_RANK  the rank            STALL_CALL  the call; pwrite, fsync and unlink: of results files only
//   STALL_SKIP  so many calls before it are let through       STALL_AFTER  set: when the call has returned
//   STALL_HOW   stopped, killed, asleep, or uninterruptible: then the kernel shows state D and only SIGKILL
//   ends it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int is(const char* name, const char* text) {
  const char* value = getenv(name);
  return value && strcmp(value, text) == 0;
}

static void stall(void) {
  fprintf(stderr, "stalled\n");
  if (is("STALL_HOW", "killed")) raise(SIGKILL);
  if (is("STALL_HOW", "stopped")) raise(SIGSTOP);
  if (is("STALL_HOW", "uninterruptible") && vfork() == 0) {  // the parent of a vfork waits in state D
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  while (is("STALL_HOW", "asleep")) pause();
}

static void pass(const char* call, int after) {
  static int passed = 0;
  const char *rank = getenv("PMIX_RANK"), *skip = getenv("STALL_SKIP");
  if (!rank || !is("STALL_RANK", rank) || !is("STALL_CALL", call) || !getenv("STALL_AFTER") != !after) return;
  if (passed++ == (skip ? atoi(skip) : 0)) stall();
}

static int is_results_file(int descriptor) {
  char link[64], path[4096] = "";
  snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  return readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, "results.h5") != NULL;
}

typedef int (*Call)(void*, void*, void*, void*, void*);

// Every argument of these calls fits into a register as a pointer does.
#define STALLS(name)                                                   \
  int name(void* a, void* b, void* c, void* d, void* e) {              \
    pass(#name, 0);                                                    \
    const int result = ((Call)dlsym(RTLD_NEXT, #name))(a, b, c, d, e); \
    pass(#name, 1);                                                    \
    return result;                                                     \
  }
STALLS(MPI_Init_thread)
STALLS(MPI_File_open)
STALLS(MPI_File_close)
STALLS(MPI_Finalize)

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t place) {
  if (is_results_file(descriptor)) pass("pwrite", 0);
  return ((ssize_t(*)(int, const void*, size_t, off_t))dlsym(RTLD_NEXT, "pwrite"))(descriptor, data, size,
                                                                                   place);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off_t place) {
  return pwrite(descriptor, data, size, place);
}

int fsync(int descriptor) {
  if (is_results_file(descriptor)) pass("fsync", 0);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int unlink(const char* path) {
  if (strstr(path, "results.h5.")) pass("unlink", 0);
  return ((int (*)(const char*))dlsym(RTLD_NEXT, "unlink"))(path);
}
