// SPDX-License-Identifier: Apache-2.0
#include "mpi/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <deque>

#include "src/core/failure.h"

namespace breakeven {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;
std::atomic<unsigned> continued = 0;
pid_t suspended_too = 0;
const std::string said;  // stands for a line that has been written
std::atomic<const std::string*> last_line = nullptr;

void remember_or_end(int) {
  if (asked_to_stop) _exit(static_cast<int>(ExitCode::interrupted));
  asked_to_stop = 1;
  const std::string* const line = last_line.exchange(&said);
  if (line == nullptr || line == &said) return;
  const int error = errno;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line->data(), line->size());
  errno = error;
}

void suspend_both(int) {
  const int error = errno;
  kill(suspended_too, SIGSTOP);
  raise(SIGSTOP);
  errno = error;
}

void continue_both(int) {
  const int error = errno;
  continued += 1;
  kill(suspended_too, SIGCONT);
  errno = error;
}

// A signal that the process was started to ignore stays ignored if `keep_ignored`.
void handle(int signal, void (*handler)(int), bool keep_ignored) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (keep_ignored && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // system calls under way continue
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_interrupt_handler() {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) handle(signal, remember_or_end, false);
  handle(SIGHUP, remember_or_end, true);
}

bool say_when_interrupted(const std::string& text) {
  static auto& lines = *new std::deque<std::string>;  // a handler may be reading an earlier one, also at exit
  if (lines.empty() || lines.back() != text) lines.emplace_back(text);
  const std::string* now = last_line;
  while (now != &said)
    if (last_line.compare_exchange_weak(now, &lines.back())) return true;
  return false;
}

void say_nothing_when_interrupted() { last_line = &said; }

bool interrupted() { return asked_to_stop != 0; }

void suspend_with(pid_t companion) {
  suspended_too = companion;
  handle(SIGTSTP, suspend_both, true);
  handle(SIGCONT, continue_both, false);
}

unsigned times_continued() { return continued; }

}  // namespace breakeven
