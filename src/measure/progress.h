// SPDX-License-Identifier: Apache-2.0
// How far a launch is: one line that rewrites itself on a terminal, plain lines now and then in a batch log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace breakeven {

class Progress {
 public:
  explicit Progress(std::size_t count, std::string_view noun = "run");
  void start(std::size_t number, const std::string& label);  // from 0
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t count_;
  std::string noun_;
  bool terminal_;
  Clock::time_point begun_;
  Clock::time_point last_line_;
};

}  // namespace breakeven
