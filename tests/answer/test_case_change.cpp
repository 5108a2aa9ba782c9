// SPDX-License-Identifier: Apache-2.0
// Old against new: a planted regression is found, and files that differ by chance alone raise no alarm.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/analysis/case_change.h"
#include "src/core/text/numbers.h"
#include "src/report/change_report.h"
#include "src/report/launch_facts.h"
#include "src/statistics/payoff.h"
#include "tests/support/near.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven::analysis {
namespace {

// Ten cases; launches differ by 1 %, runs of one by 2 %. Batch 16 is `slower` times as slow.
Results file_by_hand(std::uint32_t replication, std::uint32_t series, std::uint32_t launches,
                     std::uint32_t repeats, double slower = 1, double launch_spread = 0.01) {
  Results results;
  results.path = series == 0 ? "old.h5" : "new.h5";
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    results.launches.push_back(launch_by_hand(2));
    for (std::uint32_t place = 0; place < 10; ++place) {
      const double shared = launch_spread * normal(replication, 1000 + series, launch * 10 + place);
      for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
        const std::uint32_t number = (launch * repeats + repeat) * 10 + place;
        const double seconds =
            (place == 0 ? slower : 1.0) * std::exp(shared + 0.02 * normal(replication, series, number));
        results.runs.push_back(
            run_by_hand(case_by_hand(16 * (place + 1), 2, "ddp"), repeat, seconds, launch));
      }
    }
  }
  return results;
}

struct Compared {
  Compared(Results one, Results other)
      : before(std::move(one)),
        after(std::move(other)),
        before_summaries(analysis::summarize_cases(before)),
        after_summaries(analysis::summarize_cases(after)),
        changes(analysis::compare_files(analysis::merge_timings(before_summaries),
                                        analysis::merge_timings(after_summaries),
                                        statistics::practical_equivalence)) {}
  Results before;
  Results after;
  std::vector<analysis::CaseSummary> before_summaries;
  std::vector<analysis::CaseSummary> after_summaries;
  std::vector<analysis::CaseChange> changes;
};

report::ChangeReport report_of(const Results& before, const Results& after, std::optional<double> gate) {
  return report::make_change_report(analysis::FileAnalysis(before), analysis::FileAnalysis(after),
                                    report::ReportFormat::text, gate);
}

bool raises_an_alarm(const Compared& compared) {
  for (const analysis::CaseChange& change : compared.changes) {
    if (change.change == analysis::Change::slower || change.change == analysis::Change::faster) return true;
  }
  return false;
}

TEST(CaseChange, NoAlarmInIdenticalPairs) {
  for (const std::uint32_t launches : {1u, 4u}) {
    const double launch_spread = launches == 1 ? 0 : 0.01;
    const double share = share_of(400, [&](std::uint32_t i) {
      return raises_an_alarm(Compared(file_by_hand(i, 0, launches, 4, 1, launch_spread),
                                      file_by_hand(i, 1, launches, 4, 1, launch_spread)));
    });
    EXPECT_LE(share, 0.05) << launches;
  }
}

TEST(CaseChange, APlantedRegressionIsFound) {
  const double share = share_of(200, [](std::uint32_t i) {
    const Compared compared(file_by_hand(i, 0, 5, 3), file_by_hand(i, 1, 5, 3, 1.15));
    const analysis::CaseChange& change = compared.changes.front();
    return change.unit == statistics::SamplingUnit::launch && analysis::is_regression(change, 0.05);
  });
  EXPECT_GE(share, 0.95);
}

TEST(CaseChange, TheIntervalHoldsTheTruth) {
  const double share = share_of(1000, [](std::uint32_t i) {
    const Compared compared(file_by_hand(i, 0, 4, 2), file_by_hand(i, 1, 6, 2, 1.1));
    const statistics::Interval& ratio = compared.changes.front().ratio;
    return ratio.low <= 1 / 1.1 && 1 / 1.1 <= ratio.high;
  });
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.97);
}

TEST(CaseChange, RunsAreTheUnitOfFewerThanThreeLaunches) {
  const Compared compared(file_by_hand(0, 0, 2, 8), file_by_hand(0, 1, 5, 2));
  EXPECT_EQ(compared.changes.front().unit, statistics::SamplingUnit::run);
  EXPECT_EQ(compared.changes.front().ratio.n, 10u);
}

TEST(CaseChange, TooFewRunsAreUnclearAndNaNIsNotMeasured) {
  const Compared few(file_by_hand(0, 0, 1, 2), file_by_hand(0, 1, 1, 2, 3.0));
  EXPECT_EQ(few.changes.front().change, analysis::Change::unclear);
  EXPECT_FALSE(few.changes.front().ratio.has_bounds());
  Results broken = file_by_hand(0, 1, 1, 4);
  broken.runs[0].ranks[1].at(2, Phase::step) = not_measured;
  const Compared missing(file_by_hand(0, 0, 1, 4), broken);
  EXPECT_EQ(missing.changes.front().change, analysis::Change::not_measured);
  EXPECT_FALSE(report_of(missing.before, missing.after, 0.05).is_gate_met);
  EXPECT_TRUE(report_of(missing.before, missing.after, {}).is_gate_met);
}

TEST(CaseChange, FasterSlowerAndSame) {
  const auto first = [](double slower) {
    Results before = file_by_hand(0, 0, 1, 40, 1, 0);
    Results after = file_by_hand(0, 0, 1, 40, slower, 0);
    return Compared(before, after).changes.front().change;
  };
  EXPECT_EQ(first(1.2), analysis::Change::slower);
  EXPECT_EQ(first(0.8), analysis::Change::faster);
  EXPECT_EQ(first(1.0), analysis::Change::same);
}

TEST(CaseChange, TheGateAsksForProofAndSize) {
  Results before = file_by_hand(0, 0, 1, 30, 1, 0);
  const auto met = [&](double slower, double gate) {
    const Results after = file_by_hand(0, 1, 1, 30, slower, 0);
    return report_of(before, after, gate).is_gate_met;
  };
  EXPECT_TRUE(met(1.0, 0.05));
  EXPECT_TRUE(met(1.1, 0.2));
  EXPECT_FALSE(met(1.1, 0.05));
  EXPECT_TRUE(met(0.8, 0.05));
  Results other_cases = before;
  for (RecordedRun& run : other_cases.runs) run.planned.what.model = "large";
  EXPECT_FALSE(report_of(before, other_cases, 0.05).is_gate_met);
}

TEST(ChangeReport, DifferencesComeFirst) {
  Results before = file_by_hand(0, 0, 1, 3);
  Results after = file_by_hand(0, 1, 1, 3);
  EXPECT_TRUE(report::launch_differences(before, after).empty());
  after.launches[0].versions = {{"breakeven", "0.1.0"}, {"cuda", "13.1"}};
  after.launches[0].settings = {{"seed", "7"}};
  after.launches[0].topology.ranks[0].device.name = "NVIDIA A100";
  const auto differences = report::launch_differences(before, after);
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_EQ(differences[0].fact, "machine");
  EXPECT_EQ(differences[1].fact, "version of cuda");
  EXPECT_EQ(differences[1].before, "13.0");
  EXPECT_EQ(differences[1].after, "13.1");
  EXPECT_EQ(differences[2].before, "");
  const std::string text = report_of(before, after, {}).text;
  EXPECT_LT(text.find("version of cuda"), text.find("medium/b16/2x/ddp"));
  EXPECT_NE(text.find("different machines"), std::string::npos);
}

TEST(ParseShare, PercentAndNumber) {
  double share = 0.5;
  EXPECT_TRUE(parse_share("5%", share));
  EXPECT_DOUBLE_EQ(share, 0.05);
  EXPECT_TRUE(parse_share("0.01", share));
  EXPECT_DOUBLE_EQ(share, 0.01);
  for (const std::string_view bad : {"", "%", "5", "0", "100%", "-1%", "nan", "5 %", "0.1x"}) {
    EXPECT_FALSE(parse_share(bad, share)) << bad;
  }
  EXPECT_DOUBLE_EQ(share, 0.01);
}

}  // namespace
}  // namespace breakeven::analysis
