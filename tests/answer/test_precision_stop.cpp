// SPDX-License-Identifier: Apache-2.0
// When a case has been repeated often enough, and how often its interval then holds the truth.
#include <gtest/gtest.h>

#include <cmath>

#include "src/analysis/precision_stop.h"
#include "src/statistics/interval.h"
#include "tests/support/results_by_hand.h"
#include "tests/support/simulation.h"

namespace breakeven::analysis {
namespace {

using Places = std::vector<std::size_t>;

// Both as long in every repeat but for a wave of `spread`.
double wave(std::uint32_t repeat, double spread) { return 1 + (repeat % 2 == 0 ? spread : -spread); }

TEST(PrecisionStop, StopsAtTheFirstNarrowIntervalAndNotBeforeFive) {
  analysis::PrecisionStop steady({case_by_hand(16, 1, "single")}, 0.01);
  for (std::uint32_t repeat = 0; repeat < analysis::fewest_before_precise; ++repeat) {
    EXPECT_TRUE(steady.goes_on(0));
    steady.add(0, 1.0);
    EXPECT_EQ(steady.close_repeat(), repeat + 1 < analysis::fewest_before_precise ? Places{} : Places{0})
        << repeat;
  }
  EXPECT_FALSE(steady.goes_on(0));
  EXPECT_EQ(steady.close_repeat(), Places{});  // once is enough
}

TEST(PrecisionStop, ANoisyCaseGoesOnUntilItsIntervalIsNarrow) {
  analysis::PrecisionStop stop({case_by_hand(16, 1, "single")}, 0.01);
  std::vector<double> means;
  while (stop.goes_on(0)) {
    means.push_back(wave(static_cast<std::uint32_t>(means.size()), 0.02));
    stop.add(0, means.back());
    stop.close_repeat();
    const statistics::Interval interval = statistics::mean_interval(means);
    const bool is_narrow = means.size() >= 5 && interval.high - interval.low <= 0.02 * interval.centre;
    EXPECT_EQ(stop.goes_on(0), !is_narrow) << means.size();
    ASSERT_LT(means.size(), 100u);
  }
  EXPECT_GT(means.size(), 10u);
}

TEST(PrecisionStop, ABaseGoesOnWithTheCasesHeldAgainstIt) {
  analysis::PrecisionStop stop({case_by_hand(16, 1, "single"), case_by_hand(16, 2, "ddp"),
                                case_by_hand(64, 1, "single"), case_by_hand(16, 1, "single", Timing::phases)},
                               0.01);
  for (std::uint32_t repeat = 0; repeat < 6; ++repeat) {
    stop.add(0, 1.0);
    stop.add(1, wave(repeat, 0.05));
    if (repeat >= 5) continue;
    stop.add(2, 1.0);
    stop.add(3, 1.0);
    const Places expected = repeat == 4 ? Places{2, 3} : Places{};
    EXPECT_EQ(stop.close_repeat(), expected) << repeat;
  }
  EXPECT_TRUE(stop.goes_on(0));
  EXPECT_TRUE(stop.goes_on(1));
}

// A step time that is as long in every repeat, of a base that is not: the speed-up is what is not precise.
TEST(PrecisionStop, TheSpeedUpHasToBePreciseToo) {
  analysis::PrecisionStop stop({case_by_hand(16, 1, "single"), case_by_hand(16, 2, "ddp")}, 0.01);
  for (std::uint32_t repeat = 0; repeat < 6; ++repeat) {
    stop.add(0, wave(repeat, 0.05));
    stop.add(1, 1.0);
    EXPECT_EQ(stop.close_repeat(), Places{});
  }
}

TEST(PrecisionStop, NaNIsNeverPrecise) {
  analysis::PrecisionStop stop({case_by_hand(16, 1, "single")}, 0.5);
  for (std::uint32_t repeat = 0; repeat < 8; ++repeat) {
    stop.add(0, repeat == 2 ? std::nan("") : 1.0);
    EXPECT_EQ(stop.close_repeat(), Places{});
  }
}

// To stop at the first narrow interval favours those that are narrow by luck; from five runs on that costs
// a few of a hundred.
TEST(PrecisionStop, WhatItCostsInCoverage) {
  const double share = share_of(2000, [](std::uint32_t i) {
    analysis::PrecisionStop stop({case_by_hand(16, 1, "single")}, 0.01);
    std::vector<double> means;
    while (stop.goes_on(0) && means.size() < 200) {
      means.push_back(1 + 0.02 * normal(i, 0, static_cast<std::uint32_t>(means.size())));
      stop.add(0, means.back());
      stop.close_repeat();
    }
    const statistics::Interval interval = statistics::mean_interval(means);
    return interval.low <= 1 && 1 <= interval.high;
  });

  EXPECT_GE(share, 0.90);
  EXPECT_LE(share, 0.97);
}

}  // namespace
}  // namespace breakeven::analysis
