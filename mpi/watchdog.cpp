// SPDX-License-Identifier: Apache-2.0
#include "mpi/watchdog.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "mpi/interrupt.h"
#include "mpi/launch_files.h"
#include "mpi/local_ranks.h"
#include "src/core/failure.h"
#include "src/core/process_state.h"
#include "src/core/terminate.h"

namespace breakeven {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr const char* watchdog_name = "watchdog";
constexpr Seconds look_every{0.2};
constexpr Seconds comparison{1};  // between the two looks that tell a silent rank from one that polls
constexpr Seconds for_others{1};  // so long a host whose ranks are all at work waits for another host's line
constexpr Seconds turn{0.8};      // so much later than the one who should speak do the others speak
constexpr Seconds to_obey{4};     // then a rank that did not obey is killed

class Watch {
 public:
  Watch(pid_t guarded, LaunchFiles files) : guarded_(guarded), files_(std::move(files)) {}
  [[noreturn]] void run();

 private:
  void end_with_parent() const;
  bool is_late(Clock::duration passed);
  void judge();
  [[noreturn]] void end_all(const std::vector<LocalRank>& ranks, int silent, const std::string& cause) const;

  const pid_t guarded_;
  const LaunchFiles files_;
  unsigned seen_ = 0;                // activities
  Seconds waited_{0};                // since the last of them began, as far as this process ran
  std::vector<LocalRank> at_limit_;  // the ranks when the limit was reached
};

// Waits for SIGCONT, which comes when the parent ends, or for the time to pass.
void wait_a_moment() {
  sigset_t woken_by;
  sigemptyset(&woken_by);
  sigaddset(&woken_by, SIGCONT);
  const timespec pause{0, std::chrono::duration_cast<std::chrono::nanoseconds>(look_every).count()};
  sigtimedwait(&woken_by, nullptr, &pause);
}

void Watch::end_with_parent() const {
  if (getppid() == guarded_) return;
  remove_leftovers(files_);
  _exit(0);
}

bool Watch::is_late(Clock::duration passed) {
  const ProcessState& state = process_state();
  if (const unsigned begun = state.activities; begun != seen_) {
    seen_ = begun;
    waited_ = Seconds(0);
    at_limit_.clear();
  }
  waited_ += std::min<Seconds>(passed, 2 * look_every);
  return waited_.count() >= state.limit_seconds;
}

void Watch::run() {
  for (Clock::time_point last = Clock::now();;) {
    wait_a_moment();
    end_with_parent();
    const Clock::time_point now = Clock::now();
    if (is_late(now - last)) judge();
    last = now;
  }
}

std::string cause_of(const LocalRank* silent) {
  char text[64];
  std::snprintf(text, sizeof(text), "no answer within %g s", process_state().limit_seconds.load());
  const std::string cause = text;
  if (silent == nullptr) return cause + ", although no rank of this host is stopped or asleep";
  if (silent->is_stopped()) return cause + ": the process is stopped";
  if (silent->state == 'D') return cause + ": the process waits for a file system or a device";
  return cause + ": the process is asleep";
}

// Reads the ranks twice, and ends them once it is this watchdog's turn.
void Watch::judge() {
  const Seconds late = waited_ - Seconds(process_state().limit_seconds);
  const std::vector<LocalRank> ranks = local_ranks(guarded_, watchdog_name);
  if (at_limit_.empty()) at_limit_ = ranks;
  if (late < comparison) return;
  const LocalRank* const silent = silent_rank(at_limit_, ranks);
  const bool is_mine = silent == nullptr ? ranks.front().process == guarded_ : silent->process == guarded_;
  const Seconds until =
      comparison + (silent == nullptr ? for_others : Seconds(0)) + (is_mine ? Seconds(0) : turn);
  if (late < until) return;
  end_all(ranks, silent == nullptr ? process_state().rank.load() : silent->rank, cause_of(silent));
}

// The silent rank comes last, so that the launcher takes its exit code from one that can give it. A stopped
// one continues only to end. One that does not end is killed.
void Watch::end_all(const std::vector<LocalRank>& ranks, int silent, const std::string& cause) const {
  end_with_parent();  // another watchdog may have spoken while this one looked
  std::fputs(last_words(silent, cause).c_str(), stderr);
  close(STDERR_FILENO);  // the launcher counts a rank as ended when this is closed everywhere
  const auto end = [](const LocalRank& rank) {
    kill(rank.process, SIGALRM);
    kill(rank.process, SIGCONT);
  };
  for (const LocalRank& rank : ranks)
    if (rank.rank != silent) end(rank);
  usleep(300'000);
  for (const LocalRank& rank : ranks)
    if (rank.rank == silent) end(rank);
  for (const Clock::time_point begun = Clock::now(); Clock::now() - begun < to_obey;) {
    wait_a_moment();
    end_with_parent();
  }
  kill(guarded_, SIGKILL);
  for (;;) {
    wait_a_moment();
    end_with_parent();
  }
}

// Signals to the job are for the ranks; only what suspends the job suspends the watchdog too.
[[noreturn]] void become_watchdog(pid_t guarded, const LaunchFiles& files) {
  sigset_t blocked;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGTSTP);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  std::signal(SIGTSTP, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGCONT);  // when the parent ends, even if this process is stopped then
  prctl(PR_SET_NAME, watchdog_name);
  char* const name = program_invocation_name;  // what ps and /proc/PID/cmdline show
  std::strncpy(name, watchdog_name, std::strlen(name));
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  Watch(guarded, files).run();
}

}  // namespace

void start_watchdog(double limit_seconds) {
  set_time_limit(limit_seconds);
  report_rank_as(rank_by_environment(), host_name());
  report_activity_as("starting");
  const pid_t guarded = getpid();
  const LaunchFiles files = files_of_launch();
  const pid_t watchdog = fork();
  if (watchdog < 0)
    throw Failure(ExitCode::environment, std::string("fork -> ") + std::strerror(errno) + " (the watchdog)");
  if (watchdog == 0) become_watchdog(guarded, files);
  suspend_with(watchdog);
}

void set_time_limit(double seconds) { process_state().limit_seconds = seconds; }

}  // namespace breakeven
