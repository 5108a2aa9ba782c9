// SPDX-License-Identifier: Apache-2.0
// How often the gate of `compare` sees a change, and how many runs it says that takes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "src/analysis/case_change.h"
#include "src/report/compare/gate_words.h"
#include "src/statistics/sample_size.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven::analysis {
namespace {

// Of runs in both files that are 2 % apart.
CaseChange change_of_runs(std::uint32_t replication, std::uint32_t runs, double slower) {
  std::vector<double> old_logs, new_logs;
  for (std::uint32_t run = 0; run < runs; ++run) {
    old_logs.push_back(0.02 * normal(replication, 0, run));
    new_logs.push_back(0.02 * normal(replication, 1, run) + std::log(slower));
  }
  CaseChange change;
  change.log_ratio = statistics::welch_difference(old_logs, new_logs);
  change.ratio = statistics::exponential(change.log_ratio.difference);
  return change;
}

// With as many runs as are said to be needed, 80 of 100 comparisons tell a change of that size from none.
TEST(Gate, TheNeededRunsSeeAChangeOfThatSize) {
  constexpr double gate = 0.02;
  const auto needed = statistics::units_to_see({std::log(1 - gate), 0.02, 0.02});
  ASSERT_TRUE(needed);
  EXPECT_EQ(*needed, 17u);  // by the normal distribution (1.960 + 0.842)^2 2 (0.02 / 0.0202)^2 = 15.4
  const auto runs = static_cast<std::uint32_t>(*needed);
  const auto share_that = [](std::uint32_t count, double slower, auto is_seen) {
    return share_of(10000, [&](std::uint32_t i) { return is_seen(change_of_runs(i, count, slower)); });
  };
  const auto holds = [](const CaseChange& change) {
    return check_gate({change}, gate).front().verdict == GateVerdict::holds;
  };
  const auto is_slower = [](const CaseChange& change) { return change.ratio.high < 1; };
  EXPECT_NEAR(share_that(runs, 1, holds), statistics::power, 0.02);
  EXPECT_NEAR(share_that(runs, 1 / (1 - gate), is_slower), statistics::power, 0.02);
  EXPECT_LE(share_that(runs, 1 / (1 - gate), holds), 0.03);
  EXPECT_LE(share_that(runs / 2, 1, holds), 0.6);
}

// Ten cases that are all slower by exactly the gate: in 95 of 100 comparisons none is called a regression.
TEST(Gate, ManyCasesRaiseNoMoreFalseAlarmsThanOne) {
  const double share = share_of(2000, [](std::uint32_t i) {
    std::vector<CaseChange> changes;
    for (std::uint32_t place = 0; place < 10; ++place)
      changes.push_back(change_of_runs(10 * i + place, 8, 1 / 0.95));
    return worst_of(check_gate(changes, 0.05)) == GateVerdict::regression;
  });
  EXPECT_LE(share, 0.05);
}

TEST(Gate, NeededRunsAreTheFewest) {
  constexpr double size = 0.01;
  for (const double one : {0.001, 0.004, 0.0076, 0.01, 0.033, 0.2, 2.0}) {
    for (const double other : {0.0, 0.003, 0.05}) {
      SCOPED_TRACE(testing::Message() << one << " and " << other);
      const double variance = one * one + other * other;
      const double balance = variance * variance / (std::pow(one, 4) + std::pow(other, 4));
      const auto is_enough = [&](std::size_t n) {
        const double freedom = balance * static_cast<double>(n - 1);
        const double deviations = statistics::t_quantile_at(freedom) +
                                  statistics::t_quantile_at(freedom, 2 * statistics::power - 1);
        return deviations * std::sqrt(variance / static_cast<double>(n)) <= size;
      };
      const auto needed = statistics::units_to_see({size, one, other});
      ASSERT_TRUE(needed);
      EXPECT_TRUE(is_enough(*needed)) << *needed;
      EXPECT_TRUE(*needed == 3 || !is_enough(*needed - 1)) << *needed;
    }
  }
}

// What most cases need is said beside what the worst one needs.
TEST(Gate, TheHeadlineNamesTheRangeOfNeeds) {
  const auto headline = [](const std::vector<std::size_t>& needs) {
    std::vector<CaseChange> changes;
    report::Gate gate{.share = 0.05, .checks = {}};
    for (const std::size_t units : needs) {
      const auto place = static_cast<std::uint32_t>(changes.size());
      CaseChange& change = changes.emplace_back();
      change.what = case_by_hand(16 << place, 2, "ddp");
      change.unit = statistics::SamplingUnit::launch;
      change.ratio = {1, 0.9, 1.1, 3};
      gate.checks.push_back({GateVerdict::inconclusive, units});
    }
    const std::string text = report::gate_in_words(changes, gate);
    return text.substr(text.find("probability: ") + 13);
  };
  EXPECT_EQ(headline({7, 4284, 11, 4}),
            "4 to 11 launches in each file for 3 of them, 4,284 for medium batch 32 ddp on 2, whose launches "
            "differ most.");
  EXPECT_EQ(headline({7, 11, 4}), "4 to 11 launches in each file.");
  EXPECT_EQ(headline({7, 7}), "at least 7 launches in each file.");
  EXPECT_EQ(headline({7}), "at least 7 launches in each file.");
}

TEST(Gate, NeededRunsAtTheirEdges) {
  EXPECT_EQ(statistics::units_to_see({-0.05, 0, 0}), 3u);
  EXPECT_EQ(statistics::units_to_see({-1e-9, 1, 1}), 1'000'000u);
  EXPECT_FALSE(statistics::units_to_see({0, 0.01, 0.01}));
  EXPECT_FALSE(statistics::units_to_see({-0.05, not_measured, 0.01}));
  EXPECT_FALSE(statistics::units_to_see({not_measured, 0.01, 0.01}));
}

}  // namespace
}  // namespace breakeven::analysis
