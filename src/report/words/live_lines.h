// SPDX-License-Identifier: Apache-2.0
// What `breakeven run` shows while it measures: the lines of a terminal, and the one of a log.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/core/records/run_record.h"

namespace breakeven::report {

// At the beginning of a run. Unknown values are NaN or 0.
struct LiveStatus {
  std::size_t run = 0;  // the one that begins, from 0
  std::size_t runs = 0;
  std::string label;
  double seconds_left = not_measured;
  bool at_most = false;                  // runs may be left out (--target-ci)
  double step_seconds = not_measured;    // mean of the case's last runs
  std::size_t step_runs = 0;             // the number of these runs
  double exchange_share = not_measured;  // of the step, in the last run that measured the case's phases
  std::vector<Telemetry> ranks = {};     // each rank's last readings
};

// One line per rank, or one line with the range of all ranks if there are more than `most_ranks`.
std::vector<std::string> live_lines(const LiveStatus& status, std::size_t most_ranks = 8);

std::string live_log_line(const LiveStatus& status);

}  // namespace breakeven::report
