// SPDX-License-Identifier: Apache-2.0
// A GPU whose clock is held down in the middle of one run is found by its steps alone, and named by NVML's
// reasons; where nothing was planted, nothing is found.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/report/sections/sections.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven {
namespace {

constexpr std::uint32_t throttling_replications = 200;
constexpr std::uint32_t runs = 8;
constexpr std::uint32_t steps = 120;
constexpr std::uint32_t throttled_run = 5;

// Steps of two ranks 3 % apart, neighbours correlated by 0.3. In one run both ranks take `slower` longer from
// its last third on.
Results file_by_hand(double slower, std::uint32_t replication) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (std::uint32_t repeat = 0; repeat < runs; ++repeat) {
    RecordedRun run = run_by_hand(case_by_hand(128, 2, "ddp"), repeat, 1e-3, 0, steps);
    const std::vector<double> noise = made_up_steps(steps, 0.3, 0.03, replication, repeat);
    const bool is_throttled = slower > 0 && repeat == throttled_run;
    for (RunRecord& rank : run.ranks) {
      for (std::uint32_t step = 0; step < steps; ++step)
        rank.at(step, Phase::step) =
            1e-3 * noise[step] * (is_throttled && step >= 2 * steps / 3 ? 1 + slower : 1);
      rank.telemetry.throttle_reasons = is_throttled ? 0x40 : 0;
    }
    results.runs.push_back(std::move(run));
  }
  return results;
}

bool names_the_clock(const Results& results) {
  const std::vector<std::string> sentences = report::warnings(analysis::FileAnalysis(results));
  return std::ranges::any_of(sentences, [](const std::string& sentence) {
    return sentence.find("clocks were throttled in 1 of 1 cases (thermal slowdown by hardware)") !=
           std::string::npos;
  });
}

std::size_t unsteady_runs(const Results& results) {
  return analysis::summarize_cases(results).front().step.not_steady_runs;
}

TEST(Throttling, APlantedOneIsFoundInTheStepsAndNamed) {
  const double share = share_of(throttling_replications, [](std::uint32_t i) {
    const Results results = file_by_hand(0.25, i);
    return unsteady_runs(results) == 1 && names_the_clock(results);
  });
  EXPECT_GE(share, 0.95);
}

TEST(Throttling, NoneWhereNothingIsPlanted) {
  const double share = share_of(throttling_replications, [](std::uint32_t i) {
    const Results results = file_by_hand(0, i);
    return unsteady_runs(results) == 0 && !names_the_clock(results);
  });
  EXPECT_GE(share, 0.95);
}

}  // namespace
}  // namespace breakeven
