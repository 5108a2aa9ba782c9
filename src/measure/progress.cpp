// SPDX-License-Identifier: Apache-2.0
#include "src/measure/progress.h"

#include <fmt/format.h>

namespace breakeven {

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

}  // namespace breakeven
