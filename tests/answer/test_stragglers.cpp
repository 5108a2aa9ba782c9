// SPDX-License-Identifier: Apache-2.0
// A rank that is slow of itself is found and named, and none is where all are alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/analysis/stragglers.h"
#include "src/report/report.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven::analysis {
namespace {

constexpr std::uint32_t straggler_replications = 500;

struct Plan {
  int gpus = 2;
  double rho = 0;     // of neighbouring steps
  double of_run = 0;  // deviation of a rank's level from run to run
  double slower = 0;  // the last rank, by this share
  std::uint32_t runs = 4;
  std::uint32_t steps = 100;
};

// Each rank's own work about 1 ms; the step lasts until the last of them is done, and the others wait.
RecordedRun made_up_run(const Plan& plan, std::uint32_t repeat, std::uint32_t replication) {
  RecordedRun run =
      run_by_hand(case_by_hand(128, plan.gpus, "ddp", Timing::phases), repeat, 1e-3, 0, plan.steps);
  std::vector<std::vector<double>> own;
  for (int rank = 0; rank < plan.gpus; ++rank) {
    own.push_back(made_up_steps(plan.steps, plan.rho, 0.03, replication,
                                repeat * 8 + static_cast<std::uint32_t>(rank)));
    const double level =
        std::exp(plan.of_run * normal(replication, 99, repeat * 8 + static_cast<std::uint32_t>(rank)));
    for (double& seconds : own.back())
      seconds *= level * (rank == plan.gpus - 1 ? 1e-3 * (1 + plan.slower) : 1e-3);
  }
  for (std::uint32_t s = 0; s < plan.steps; ++s) {
    double longest = 0;
    for (const auto& rank : own) longest = std::max(longest, rank[s]);
    for (std::size_t rank = 0; rank < own.size(); ++rank) {
      run.ranks[rank].at(s, Phase::step) = longest;
      run.ranks[rank].at(s, Phase::wait) = longest - own[rank][s];
    }
  }
  return run;
}

Results made_up(const Plan& plan, std::uint32_t replication) {
  Results results;
  results.launches.push_back(launch_by_hand(plan.gpus));
  for (std::uint32_t repeat = 0; repeat < plan.runs; ++repeat)
    results.runs.push_back(made_up_run(plan, repeat, replication));
  return results;
}

analysis::CaseWork work_in(const Results& results) {
  const std::vector<analysis::CaseSummary> summaries = analysis::summarize_cases(results);
  const std::array<const analysis::CaseSummary*, 1> cases{&summaries.front()};
  analysis::CaseWork work = analysis::find_stragglers(cases).front();
  work.phases = nullptr;  // the summaries end here
  return work;
}

TEST(Stragglers, NoFalseAlarmWhereRanksAreAlike) {
  for (const std::uint32_t steps : {20u, 100u}) {
    for (const int gpus : {2, 4}) {
      for (const double rho : {0.0, 0.3, 0.6, 0.9}) {
        const auto is_quiet = [&](std::uint32_t i) {
          const analysis::CaseWork work = work_in(made_up({.gpus = gpus, .rho = rho, .steps = steps}, i));
          return std::ranges::none_of(work.ranks, &analysis::OwnWork::beyond_chance);
        };
        EXPECT_GE(share_of(straggler_replications, is_quiet), 0.95)
            << gpus << " ranks, " << steps << ", " << rho;
      }
    }
  }
}

// As where memory lies well for one rank in one run, and for another in the next.
TEST(Stragglers, NoFalseAlarmWhereRanksLeadByRuns) {
  for (const int gpus : {2, 4}) {
    for (const double of_run : {0.02, 0.05}) {
      const auto is_quiet = [&](std::uint32_t i) {
        const analysis::CaseWork work = work_in(made_up({.gpus = gpus, .of_run = of_run}, i));
        return std::ranges::none_of(work.ranks, &analysis::OwnWork::is_straggler);
      };
      EXPECT_GE(share_of(straggler_replications, is_quiet), 0.95) << gpus << " ranks, " << of_run;
    }
  }
}

TEST(Stragglers, ThePlantedOneIsFoundAndNoOther) {
  for (const int gpus : {2, 4}) {
    for (const double rho : {0.0, 0.3, 0.6}) {
      const auto is_found = [&](std::uint32_t i) {
        const analysis::CaseWork work = work_in(made_up({.gpus = gpus, .rho = rho, .slower = 0.05}, i));
        return work.ranks.back().is_straggler &&
               std::ranges::count(work.ranks, true, &analysis::OwnWork::is_straggler) == 1;
      };
      EXPECT_GE(share_of(straggler_replications, is_found), 0.95) << gpus << " ranks, " << rho;
    }
  }
}

TEST(Stragglers, RunsAreTheUnitWhereThereAreEnough) {
  const analysis::CaseWork few = work_in(made_up({.slower = 0.05, .runs = 5}, 0));
  EXPECT_FALSE(few.by_runs) << "1 / 2^5 is not below 5 % / 2";
  EXPECT_GT(few.units, 100);
  EXPECT_LE(few.units, 500);
  const analysis::CaseWork enough = work_in(made_up({.slower = 0.05, .runs = 6}, 0));
  EXPECT_TRUE(enough.by_runs);
  EXPECT_EQ(enough.units, 6);
  EXPECT_EQ(enough.ranks[1].longest_share, 1);
  EXPECT_NEAR(enough.ranks[1].probability, 1.0 / 64, 1e-12);
  EXPECT_EQ(enough.ranks[0].longest_share, 0);
  EXPECT_EQ(enough.ranks[0].probability, 1);
  EXPECT_NEAR(enough.ranks[1].above_others, 0.05, 0.01);
}

TEST(Stragglers, FewStepsDoNotTell) {
  const analysis::CaseWork work = work_in(made_up({.slower = 0.5, .runs = 1, .steps = 4}, 0));
  EXPECT_FALSE(work.can_decide);
  EXPECT_FALSE(work.ranks[1].is_straggler);
}

// Beyond chance, and of no consequence.
TEST(Stragglers, OnePercentIsNone) {
  const analysis::CaseWork work = work_in(made_up({.slower = 0.01, .runs = 8}, 0));
  EXPECT_TRUE(work.ranks[1].beyond_chance);
  EXPECT_FALSE(work.ranks[1].is_straggler);
}

TEST(Stragglers, EquallyLongRanksCountForNone) {
  Results results;
  results.launches.push_back(launch_by_hand(2));
  for (std::uint32_t repeat = 0; repeat < 8; ++repeat)
    results.runs.push_back(run_by_hand(case_by_hand(128, 2, "ddp", Timing::phases), repeat, 1e-3));
  const analysis::CaseWork work = work_in(results);
  EXPECT_EQ(work.units, 8);
  for (const analysis::OwnWork& rank : work.ranks) EXPECT_EQ(rank.longest_share, 0);
}

TEST(Stragglers, AStepThatWasNotMeasuredMakesNoneKnown) {
  Results results = made_up({.slower = 0.05}, 0);
  results.runs[1].ranks[0].at(3, Phase::step) = not_measured;
  EXPECT_TRUE(work_in(results).ranks.empty());
}

TEST(Stragglers, TheReportNamesRankHostAndGpu) {
  Results results = made_up({.gpus = 2, .slower = 0.05, .runs = 8}, 0);
  results.launches[0].topology.ranks[1].host = "node07";
  results.launches[0].topology.ranks[1].device.uuid = "GPU-17";
  const auto line_of = [](const Results& of) {
    std::string text =
        report::make_report(of, {.format = report::ReportFormat::markdown, .sections = {"all"}});
    const auto start = text.rfind("traggler: ");
    return start == std::string::npos ? "" : text.substr(start, text.find('\n', start) - start);
  };
  EXPECT_TRUE(line_of(results).starts_with("traggler: rank 1 (node07, GPU-17) takes up to"))
      << line_of(results);
  const auto rows = nlohmann::json::parse(
      report::make_report(results, {.format = report::ReportFormat::json}))["stragglers"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["rank"], 1);
  EXPECT_EQ(rows[0]["finding"], "straggler");
  EXPECT_EQ(rows[0]["longest_share"], 1.0);
  const std::string brief = report::make_report(results, {.format = report::ReportFormat::markdown});
  EXPECT_NE(
      brief.find("In 1 of 1 cases a rank takes longer than the others for its own work, and they wait for it "
                 "(most: rank 1 (node07, GPU-17), 5"),
      std::string::npos)
      << brief;
  EXPECT_TRUE(line_of(made_up({.runs = 8}, 0)).starts_with("traggler: among ranks with equal work"));
}

}  // namespace
}  // namespace breakeven::analysis
