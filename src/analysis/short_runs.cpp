// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/short_runs.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/step_times.h"
#include "src/core/text/numbers.h"

namespace breakeven::analysis {
namespace {

// A recorder stores only the steps that it made; its plan is a setting of the launch. Where the whole run has
// one wall time, that setting says nothing.
std::uint32_t planned_records(const RecordedRun& run, const std::vector<Launch>& launches) {
  if (run.launch >= launches.size()) return run.steps;
  const Launch& launch = launches[run.launch];
  if (setting_of(launch, step_times_setting) == by_wall_time) return run.steps;
  return std::max(run.steps, parse_number<std::uint32_t>(setting_of(launch, "steps")).value_or(0));
}

}  // namespace

ShortRuns find_short_runs(const std::vector<const RecordedRun*>& runs, const std::vector<Launch>& launches) {
  ShortRuns found;
  for (const RecordedRun* run : runs) {
    const std::uint64_t made = trained_steps(*run);
    const std::uint32_t records = planned_records(*run, launches);
    if (made >= fewest_steps_for_verdict || records <= steps_made(*run)) continue;
    if (std::isfinite(steps_to_quality(*run))) continue;
    if (found.count++ == 0 || made < found.fewest) {
      const std::uint64_t apart = run->ranks.empty() ? 1 : steps_apart(run->ranks.front());
      found.fewest = made;
      found.planned = records * apart;
    }
  }
  return found;
}

}  // namespace breakeven::analysis
