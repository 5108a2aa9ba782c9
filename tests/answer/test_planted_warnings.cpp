// SPDX-License-Identifier: Apache-2.0
// A file of sound launches has no warning. Each symptom of docs/troubleshooting.md that is planted into it
// gives its own. Those that a launch on the host has by its options: tests/cli/test_troubleshooting.py.
#include "src/report/warnings/warnings.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

Results sound() {
  Results results;
  for (std::uint32_t launch = 0; launch < 3; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    const double seconds = 6e-3 * (1 + 0.001 * launch);
    for (const Timing timing : {Timing::steps, Timing::phases}) {
      results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single", timing), 0, seconds, launch, 40));
      results.runs.push_back(run_by_hand(case_by_hand(64, 2, "ddp", timing), 0, 0.8 * seconds, launch, 40));
    }
  }
  settle(results);
  return results;
}

std::set<std::string> symptoms_of(const Results& results) {
  std::set<std::string> found;
  const nlohmann::json report = json_of(results);
  for (const std::string warning : report["warnings"]) found.insert(warning.substr(0, warning.find(": ")));
  return found;
}

void in_each_rank(Results& results, const std::function<void(RunRecord&, const Case&)>& change) {
  for (RecordedRun& run : results.runs)
    for (RunRecord& rank : run.ranks) change(rank, run.planned.what);
}

struct Planted {
  std::string_view symptom;
  std::function<void(Results&)> plant;
};

const std::vector<Planted> planted{
    {report::symptom::timing_overhead,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case& what) {
         if (what.timing == Timing::phases) rank.at(0, Phase::step) += 0.1;
       });
     }},
    {report::symptom::missing_times,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case&) { rank.at(1, Phase::step) = not_measured; });
     }},
    {report::symptom::clocks,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case&) { rank.steps_device_seconds *= 1.2; });
     }},
    {report::symptom::throttling,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case&) { rank.telemetry.throttle_reasons = 4; });
     }},
    {report::symptom::overflow,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case&) { rank.skipped_steps = 1; });
     }},
    {report::symptom::idle_gpus,
     [](Results& results) {
       in_each_rank(results, [](RunRecord& rank, const Case&) { rank.telemetry.utilization_percent = 50; });
     }},
    {report::symptom::outliers,
     [](Results& results) {
       for (std::uint32_t repeat = 1; repeat < 10; ++repeat) {
         const double seconds = repeat == 5 ? 18e-3 : 6e-3 + 1e-6 * repeat;
         results.runs.push_back(run_by_hand(case_by_hand(64, 1, "single"), repeat, seconds, 0, 40));
       }
     }},
    {report::symptom::drift, [](Results& results) { settle(results, SettleEnd::time_limit); }},
    {report::symptom::wrong_data,
     [](Results& results) { results.launches[0].topology.links[1].data_right = false; }},
    {report::symptom::few_launches,
     [](Results& results) {
       results.launches.pop_back();
       std::erase_if(results.runs, [](const RecordedRun& run) { return run.launch == 2; });
     }},
    {report::symptom::machines,
     [](Results& results) {
       for (RankInfo& rank : results.launches[1].topology.ranks) rank.host = "node02";
     }},
    {report::symptom::builds, [](Results& results) { results.launches[1].git_revision = "4567def"; }},
};

TEST(PlantedWarnings, SoundLaunchesHaveNone) { EXPECT_EQ(symptoms_of(sound()), std::set<std::string>{}); }

TEST(PlantedWarnings, EachSymptomIsNamed) {
  for (const Planted& one : planted) {
    Results results = sound();
    one.plant(results);
    EXPECT_TRUE(symptoms_of(results).contains(std::string(one.symptom))) << one.symptom;
  }
}

TEST(PlantedWarnings, UncommittedChangesAreNamed) {
  Results results = sound();
  for (Launch& launch : results.launches) launch.git_revision += "-dirty";
  EXPECT_EQ(symptoms_of(results), std::set<std::string>{"Builds"});
}

}  // namespace
}  // namespace breakeven
