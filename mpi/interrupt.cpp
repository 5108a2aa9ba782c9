// SPDX-License-Identifier: Apache-2.0
#include "mpi/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "src/core/failure.h"

namespace breakeven {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void remember_or_end(int) {
  if (asked_to_stop) _exit(static_cast<int>(ExitCode::interrupted));
  asked_to_stop = 1;
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action = {};
  action.sa_handler = remember_or_end;
  action.sa_flags = SA_RESTART;  // system calls under way continue
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return asked_to_stop != 0; }

}  // namespace breakeven
