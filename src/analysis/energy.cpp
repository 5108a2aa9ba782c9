// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/energy.h"

#include <cmath>
#include <map>

#include "src/analysis/run_summary.h"
#include "src/statistics/sampling_unit.h"

namespace breakeven::analysis {
namespace {

struct Sums {
  double joules = 0;
  double samples = 0;
  double a_sample() const { return joules / samples; }
  void add(const Sums& other) {
    joules += other.joules;
    samples += other.samples;
  }
};

double joules_of(const RecordedRun& run) {
  double joules = 0;
  for (const RunRecord& rank : run.ranks) joules += rank.telemetry.energy_joules;
  return joules;
}

}  // namespace

EnergyOfSample summarize_energy(const std::vector<const RecordedRun*>& done, double samples_a_step) {
  std::vector<std::uint32_t> launches;
  std::vector<Sums> runs;
  Sums all;
  for (const RecordedRun* run : done) {
    const Sums of_run{joules_of(*run), steps_made(*run) * samples_a_step};
    if (!std::isfinite(of_run.joules) || !(of_run.samples > 0)) continue;
    launches.push_back(run->launch);
    runs.push_back(of_run);
    all.add(of_run);
  }
  const bool by_launch = unit_of(launches) == SamplingUnit::launch;
  std::map<std::size_t, Sums> units;
  for (std::size_t i = 0; i < runs.size(); ++i) units[by_launch ? launches[i] : i].add(runs[i]);
  std::vector<double> means;
  for (const auto& [place, unit] : units) means.push_back(unit.a_sample());
  EnergyOfSample energy{mean_interval(means), runs.size()};
  energy.joules.centre = all.a_sample();
  return energy;
}

}  // namespace breakeven::analysis
