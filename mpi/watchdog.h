// SPDX-License-Identifier: Apache-2.0
// Ends the job when a collective operation does not finish in time.
#pragma once

#include <memory>
#include <string>

namespace breakeven {

// Runs in its own thread, because the main thread may be in a collective that never returns. At the deadline
// it prints the terminate handler's line with the cause "no answer within N s" and ends the job with exit
// code 4.
class Watchdog {
 public:
  explicit Watchdog(double timeout_seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;  // owns a thread that points at it
  Watchdog& operator=(const Watchdog&) = delete;

  void arm(const std::string& activity);  // each call restarts the clock
  void disarm();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace breakeven
