// SPDX-License-Identifier: Apache-2.0
#include "mpi/watchdog.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "src/core/terminate.h"

namespace breakeven {
namespace {

using Clock = std::chrono::steady_clock;

std::string no_answer(double seconds, const std::string& activity) {
  char text[64];
  std::snprintf(text, sizeof(text), "no answer within %g s", seconds);
  return activity.empty() ? text : text + (": " + activity);
}

}  // namespace

struct Watchdog::State {
  explicit State(double timeout)
      : seconds(timeout),
        // A year at most, so that "no limit" (infinity) does not overflow the clock.
        limit(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(std::clamp(timeout, 0.0, 3.2e7)))),
        thread([this] { watch(); }) {}

  void watch();

  const double seconds;
  const Clock::duration limit;
  std::mutex mutex;
  std::condition_variable changed;
  bool armed = false;
  bool quit = false;
  Clock::time_point deadline;
  std::string activity;
  std::thread thread;  // last: it uses all of the above
};

// Arming again only moves the deadline: the thread finds out when it wakes at the old one, so that a
// watched step costs no wake-up.
void Watchdog::State::watch() {
  std::unique_lock lock(mutex);
  while (!quit) {
    if (!armed) {
      changed.wait(lock);
    } else if (Clock::now() >= deadline) {
      end_job(ExitCode::timeout, no_answer(seconds, activity));
    } else {
      changed.wait_until(lock, deadline);
    }
  }
}

Watchdog::Watchdog(double timeout_seconds) : state_(std::make_unique<State>(timeout_seconds)) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->quit = true;
  }
  state_->changed.notify_one();
  state_->thread.join();
}

void Watchdog::arm(const std::string& activity) {
  bool was_armed = false;
  {
    const std::lock_guard lock(state_->mutex);
    was_armed = state_->armed;
    state_->armed = true;
    state_->deadline = Clock::now() + state_->limit;
    state_->activity = activity;
  }
  if (!was_armed) state_->changed.notify_one();
}

void Watchdog::disarm() {
  const std::lock_guard lock(state_->mutex);
  state_->armed = false;
}

}  // namespace breakeven
