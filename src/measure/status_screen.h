// SPDX-License-Identifier: Apache-2.0
// Shows progress: lines that are overwritten on a terminal, occasional plain lines in a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace breakeven {

class StatusScreen {
 public:
  // On a terminal `lines`, cut to its size, in place of those shown before. In a log `log_line`, unless the
  // last one was written a moment ago.
  void show(const std::vector<std::string>& lines, const std::string& log_line);

  // A line that stays, in place of what is shown.
  void finish(const std::string& line);

  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void log(const std::string& line);

  Clock::time_point begun_ = Clock::now();
  double next_log_seconds_ = 0;
  std::size_t shown_ = 0;  // lines on the terminal
};

// What puts the cursor where the first of `count` lines began, and clears from there on.
std::string rewind_lines(std::size_t count);

}  // namespace breakeven
