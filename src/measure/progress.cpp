// SPDX-License-Identifier: Apache-2.0
#include "src/measure/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "src/core/text/display_width.h"
#include "src/core/text/output.h"
#include "src/core/text/terminal.h"

namespace breakeven::measure {
namespace {

// Between two lines of a log pass at least ten seconds, and at least 1 % of the elapsed time.
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
  for (std::size_t i = 0; i < shown_; ++i) {
    if (i > 0) text += '\n';
    text += cut_to_width(lines[i], size.columns - 1);  // the cursor takes a column too
  }
  print_error("{}", text);
  std::fflush(stderr);
}

void StatusScreen::announce(const std::string& line) {
  next_log_seconds_ = 0;
  show({line}, line);
  next_log_seconds_ = 0;
}

void StatusScreen::log(const std::string& line) {
  const double now = elapsed_seconds();
  if (now < next_log_seconds_) return;
  next_log_seconds_ = now + std::max(log_interval_seconds, log_interval_share * now);
  print_error("{}\n", line);
  std::fflush(stderr);
}

void StatusScreen::finish(const std::string& line) {
  clear();
  print_error("{}\n", line);
}

void StatusScreen::clear() {
  print_error("{}", rewind_lines(shown_));
  shown_ = 0;
}

Progress::Progress(std::size_t count, std::string_view noun) : count_(count), noun_(noun) {}

void Progress::start(std::size_t number, const std::string& label) {
  const double each = screen_.elapsed_seconds() / static_cast<double>(number);
  const std::string left =
      number == 0 ? "" : fmt::format(", {:.0f} s left", each * static_cast<double>(count_ - number));
  const std::string line = fmt::format("{} {} of {}{}: {}", noun_, number + 1, count_, left, label);
  screen_.show({line}, line);
}

void Progress::finish() {
  screen_.finish(fmt::format("{} {}s in {:.1f} s", count_, noun_, screen_.elapsed_seconds()));
}

}  // namespace breakeven::measure
