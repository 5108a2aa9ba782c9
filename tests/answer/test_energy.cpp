// SPDX-License-Identifier: Apache-2.0
// Energy of a sample: of the runs that have it, by the unit of analysis.
#include "src/analysis/readings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

constexpr double samples_a_step = 16;

// So many joules on each of two ranks.
RecordedRun run_with(double joules, std::uint32_t launch) {
  RecordedRun run = run_by_hand(case_by_hand(16, 2, "ddp"), 0, 1.0);
  run.launch = launch;
  for (RunRecord& rank : run.ranks) rank.telemetry.energy_joules = joules;
  return run;
}

analysis::EnergyOfSample energy_of(const std::vector<RecordedRun>& runs) {
  std::vector<const RecordedRun*> done;
  for (const RecordedRun& run : runs) done.push_back(&run);
  return analysis::summarize_energy(done, samples_a_step);
}

double joules_a_sample(double of_a_rank) { return 2 * of_a_rank / (4 * samples_a_step); }  // 4 steps

TEST(Energy, RunsWithoutItAreLeftOut) {
  std::vector<RecordedRun> runs{run_with(60, 1), run_with(64, 1), run_with(68, 1), run_with(not_measured, 0)};
  const analysis::EnergyOfSample alone = energy_of({runs[0], runs[1], runs[2]}), energy = energy_of(runs);
  EXPECT_EQ(energy.runs, 3u);
  EXPECT_DOUBLE_EQ(energy.joules.centre, joules_a_sample(64));
  EXPECT_TRUE(energy.joules.has_bounds());
  EXPECT_EQ(energy.joules.low, alone.joules.low);
  runs[0].ranks[1].telemetry.energy_joules = not_measured;  // a rank without it is a run without it
  EXPECT_EQ(energy_of(runs).runs, 2u);
  EXPECT_FALSE(energy_of(runs).joules.has_bounds());
}

TEST(Energy, SeveralLaunchesAreTheUnit) {
  const analysis::EnergyOfSample two =
      energy_of({run_with(60, 0), run_with(61, 0), run_with(62, 0), run_with(64, 1)});
  EXPECT_EQ(two.joules.n, 2u);
  EXPECT_FALSE(two.joules.has_bounds());
  EXPECT_DOUBLE_EQ(two.joules.centre, joules_a_sample((60 + 61 + 62 + 64) / 4.0));
  EXPECT_TRUE(energy_of({run_with(60, 0), run_with(64, 1), run_with(62, 2)}).joules.has_bounds());
}

TEST(Energy, NoneIsNotMeasured) {
  EXPECT_TRUE(std::isnan(energy_of({run_with(not_measured, 0)}).joules.centre));
  EXPECT_EQ(energy_of({}).runs, 0u);
}

}  // namespace
}  // namespace breakeven::analysis
