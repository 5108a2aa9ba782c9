// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/energy.h"

#include "src/strategy/case_traits.h"

namespace breakeven {

Interval joules_a_sample(const CaseSummary& summary) {
  std::vector<double> joules;  // of each run
  for (const RecordedRun* run : summary.done) {
    double of_run = 0;
    for (const RunRecord& rank : run->ranks) of_run += rank.telemetry.energy_joules;
    joules.push_back(of_run / (made_steps(run->ranks.front()) * samples_a_step(summary.what)));
  }
  return mean_interval(joules);
}

}  // namespace breakeven
