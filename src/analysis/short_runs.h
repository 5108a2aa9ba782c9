// SPDX-License-Identifier: Apache-2.0
// Runs that ended long before their planned steps were made.
#pragma once

#include <cstdint>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::analysis {

// Fewer say little of how steps vary.
inline constexpr std::uint64_t fewest_steps_for_verdict = 20;

struct ShortRuns {
  std::size_t count = 0;
  std::uint64_t fewest = 0;   // measured steps of the shortest
  std::uint64_t planned = 0;  // and how many it was to make
};

// Those with fewer measured steps than fewest_steps_for_verdict although more were planned, unless they ended
// because a quality was reached. `runs` are done ones of these launches.
ShortRuns find_short_runs(const std::vector<const RecordedRun*>& runs, const std::vector<Launch>& launches);

}  // namespace breakeven::analysis
