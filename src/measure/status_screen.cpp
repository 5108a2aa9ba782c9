// SPDX-License-Identifier: Apache-2.0
#include "src/measure/status_screen.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "src/core/text/display_width.h"
#include "src/core/text/terminal.h"

namespace breakeven {
namespace {

// Between two lines of a log: ten seconds, and in a job of hours a hundredth of what has passed.
constexpr double log_interval_seconds = 10;
constexpr double log_interval_share = 0.01;

}  // namespace

std::string rewind_lines(std::size_t count) {
  if (count == 0) return "";
  const std::string up = count > 1 ? fmt::format("\033[{}A", count - 1) : "";
  return "\r" + up + "\033[J";
}

double StatusScreen::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

void StatusScreen::show(const std::vector<std::string>& lines, const std::string& log_line) {
  const TerminalSize size = terminal_size();
  if (size.columns == 0) return log(log_line);
  std::string text = rewind_lines(shown_);
  shown_ = std::min(lines.size(), size.rows);
  for (std::size_t i = 0; i < shown_; ++i)
    text += (i > 0 ? "\n" : "") + cut_to_width(lines[i], size.columns - 1);  // the cursor takes a column too
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
}

void StatusScreen::log(const std::string& line) {
  const double now = elapsed_seconds();
  if (now < next_log_seconds_) return;
  next_log_seconds_ = now + std::max(log_interval_seconds, log_interval_share * now);
  fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
}

void StatusScreen::finish(const std::string& line) {
  fmt::print(stderr, "{}{}\n", rewind_lines(shown_), line);
  shown_ = 0;
}

}  // namespace breakeven
