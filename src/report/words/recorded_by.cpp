// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/recorded_by.h"

#include <algorithm>

namespace breakeven::report {

RecordedBy recorded_by(const Launch& launch) {
  const std::string& line = launch.command_line;
  if (line.starts_with("breakeven wrap")) return RecordedBy::wrap;
  return line.empty() || line.starts_with("breakeven ") ? RecordedBy::run : RecordedBy::recorder;
}

RecordedBy recorded_by(const Results& results) {
  const auto is_of_run = [](const Launch& launch) { return recorded_by(launch) == RecordedBy::run; };
  if (results.launches.empty() || std::ranges::any_of(results.launches, is_of_run)) return RecordedBy::run;
  return recorded_by(results.launches.back());
}

}  // namespace breakeven::report
