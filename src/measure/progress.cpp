// SPDX-License-Identifier: Apache-2.0
#include "src/measure/progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace breakeven {
namespace {

constexpr auto log_interval = std::chrono::seconds(10);

}  // namespace

Progress::Progress(std::size_t count, std::string_view noun)
    : count_(count),
      noun_(noun),
      terminal_(isatty(STDERR_FILENO) != 0),
      begun_(Clock::now()),
      last_line_(begun_ - log_interval) {}

void Progress::start(std::size_t number, const std::string& label) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ && now - last_line_ < log_interval) return;
  last_line_ = now;
  const double elapsed = std::chrono::duration<double>(now - begun_).count();
  const std::string left = number == 0
                               ? ""
                               : fmt::format(", {:.0f} s left", elapsed / static_cast<double>(number) *
                                                                    static_cast<double>(count_ - number));
  fmt::print(stderr, "{}{} {} of {}{}: {}{}", terminal_ ? "\r\033[K" : "", noun_, number + 1, count_, left,
             label, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::finish() {
  const double elapsed = std::chrono::duration<double>(Clock::now() - begun_).count();
  fmt::print(stderr, "{}{} {}s in {:.1f} s\n", terminal_ ? "\r\033[K" : "", count_, noun_, elapsed);
}

}  // namespace breakeven
