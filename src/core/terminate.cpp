// SPDX-License-Identifier: Apache-2.0
#include "src/core/terminate.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>

namespace breakeven {
namespace {

// The one piece of global state: a terminate handler takes no arguments.
struct Identity {
  std::mutex mutex;  // the watchdog's thread reads what the main one sets
  int rank = -1;
  int gpu = -1;
  std::string host;
  std::string activity;
};

Identity& identity() {
  static Identity* const self = new Identity;  // never destroyed: needed until the very end
  return *self;
}

// "[rank 3 node07 gpu 3] cause (while: activity)", on one line even if the cause has several.
std::string last_words(const std::string& cause) {
  Identity& self = identity();
  const std::lock_guard lock(self.mutex);
  std::string line = "breakeven: ";
  if (self.rank >= 0) {
    line = "[rank " + std::to_string(self.rank) + " " + self.host;
    if (self.gpu >= 0) line += " gpu " + std::to_string(self.gpu);
    line += "] ";
  }
  line += cause;
  if (!self.activity.empty()) line += " (while: " + self.activity + ")";
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + "\n";
}

std::atomic<int> final_code = 0;
std::atomic<void (*)(int)> end_other_ranks = nullptr;

// Ending the other ranks may block: the launcher may be gone, or a stuck thread may hold a lock. Then the
// process ends after a few seconds, and the launcher ends the others because of its exit code.
void end_after_seconds(unsigned seconds) {
  std::signal(SIGALRM, [](int) { std::_Exit(final_code); });
  alarm(seconds);
}

[[noreturn]] void end_with_current_exception() {
  try {
    if (const auto current = std::current_exception()) std::rethrow_exception(current);
  } catch (const Failure& failure) {
    end_job(failure.code(), failure.what());
  } catch (const std::exception& failure) {
    end_job(ExitCode::environment, failure.what());
  } catch (...) {
    end_job(ExitCode::environment, "an exception of unknown type");
  }
  end_job(ExitCode::environment, "std::terminate was called without an exception");
}

}  // namespace

void install_terminate_handler() { std::set_terminate(end_with_current_exception); }

void end_job(ExitCode code, const std::string& cause) {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread is ending the process
  final_code = static_cast<int>(code);
  end_after_seconds(5);
  const std::string line = last_words(cause);
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);
  if (const auto end_others = end_other_ranks.load()) end_others(final_code);
  std::_Exit(final_code);
}

void end_other_ranks_by(void (*end)(int code)) { end_other_ranks = end; }

void report_rank_as(int rank, const std::string& host) {
  const std::lock_guard lock(identity().mutex);
  identity().rank = rank;
  identity().host = host;
}

void report_gpu_as(int gpu) {
  const std::lock_guard lock(identity().mutex);
  identity().gpu = gpu;
}

void report_activity_as(const std::string& text) {
  const std::lock_guard lock(identity().mutex);
  identity().activity = text;
}

}  // namespace breakeven
