// SPDX-License-Identifier: Apache-2.0
// How far a launch is: one line that rewrites itself on a terminal, plain lines now and then in a batch log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace breakeven {

class Progress {
 public:
  explicit Progress(std::size_t runs);
  void start(std::size_t run, const std::string& label);  // run counts from 0
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t runs_;
  bool terminal_;
  Clock::time_point begun_;
  Clock::time_point last_line_;
};

}  // namespace breakeven
