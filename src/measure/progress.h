// SPDX-License-Identifier: Apache-2.0
// Shows progress: lines that are overwritten on a terminal, occasional plain lines in a log file.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::measure {

class StatusScreen {
 public:
  // On a terminal: replaces the lines shown before by `lines`, cut to the terminal's size. In a log: writes
  // `log_line`, unless the last one is recent.
  void show(const std::vector<std::string>& lines, const std::string& log_line);

  // A terminal's one line; a log gets it whenever it comes, with no wait before the next.
  void announce(const std::string& line);

  // Replaces what is shown by a line that stays.
  void finish(const std::string& line);

  // Takes what is shown off a terminal.
  void clear();

  double elapsed_seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void log(const std::string& line);

  Clock::time_point begun_ = Clock::now();
  double next_log_seconds_ = 0;
  std::size_t shown_ = 0;  // lines on the terminal
};

// The control characters that move the cursor to the beginning of `count` lines and clear them.
std::string rewind_lines(std::size_t count);

// Progress through a list of tasks of about equal length.
class Progress {
 public:
  Progress(std::size_t count, std::string_view noun);
  void start(std::size_t number, const std::string& label);  // from 0
  void finish();

 private:
  std::size_t count_;
  std::string noun_;
  StatusScreen screen_;
};

}  // namespace breakeven::measure
