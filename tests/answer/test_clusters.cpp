// SPDX-License-Identifier: Apache-2.0
// Intervals where values of one cluster may be alike.
#include "src/statistics/clusters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/simulation.h"

namespace breakeven {
namespace {

using statistics::Cluster;

// Errors of deviation 1 about 0, of which this share of the variance is common to the cluster.
std::vector<Cluster> errors_of(std::uint32_t replication, std::uint32_t clusters, std::uint32_t size,
                               double common) {
  std::vector<Cluster> all(clusters);
  for (std::uint32_t i = 0; i < clusters; ++i)
    for (std::uint32_t j = 0; j < size; ++j)
      all[i].push_back(std::sqrt(common) * normal(replication, 1, i) +
                       std::sqrt(1 - common) * normal(replication, 2, i * size + j));
  return all;
}

// Of errors in a cluster that was not seen.
double share_inside(std::uint32_t clusters, double common) {
  constexpr std::uint32_t replications = 4000, size = 6;
  double inside = 0;
  for (std::uint32_t replication = 0; replication < replications; ++replication) {
    const std::vector<Cluster> all = errors_of(replication, clusters + 1, size, common);
    const double half_width = statistics::error_half_width(std::span(all).first(clusters));
    for (const double error : all.back()) inside += std::abs(error) <= half_width ? 1 : 0;
  }
  return inside / (replications * size);
}

// Six clusters as six errors, whatever they have in common, would hold 97 to 98 % of independent errors; all
// errors as independent would hold 92 % of those that are common to the cluster, and with three clusters 89
// %.
TEST(Clusters, HalfWidthHoldsFurtherErrors) {
  for (const double common : {0.0, 0.3, 0.6, 1.0}) {
    EXPECT_GE(share_inside(6, common), 0.93) << common;
    EXPECT_LE(share_inside(6, common), 0.965) << common;
    EXPECT_GE(share_inside(3, common), 0.93) << common;
    EXPECT_LE(share_inside(3, common), 0.985) << common;
  }
}

TEST(Clusters, TwoGiveNoHalfWidth) {
  EXPECT_TRUE(std::isnan(statistics::error_half_width(errors_of(0, 2, 50, 0))));
}

std::map<std::string, statistics::Tally> tallies_of(const std::vector<std::size_t>& inside,
                                                    std::size_t asked) {
  std::map<std::string, statistics::Tally> tallies;
  for (std::size_t i = 0; i < inside.size(); ++i) tallies[std::to_string(i)] = {inside[i], asked};
  return tallies;
}

// Misses spread evenly say as much as independent cases at most; all in one cluster, far less.
TEST(Clusters, ShareCountsWhatIsAlikeOnce) {
  const statistics::Interval spread =
      statistics::share_interval(tallies_of({19, 19, 19, 19, 19, 19, 19}, 20));
  const statistics::Interval bound = statistics::binomial_interval(133, 140);
  EXPECT_NEAR(spread.low, bound.low, 1e-9);
  EXPECT_NEAR(spread.high, bound.high, 1e-9);
  const statistics::Interval gathered =
      statistics::share_interval(tallies_of({13, 20, 20, 20, 20, 20, 20}, 20));
  EXPECT_DOUBLE_EQ(gathered.centre, 0.95);
  EXPECT_LT(gathered.low, bound.low - 0.1);
  EXPECT_GT(gathered.high, bound.high);
  EXPECT_EQ(gathered.n, 7u);
}

TEST(Clusters, ShareWithoutAnyMissCountsClusters) {
  const statistics::Interval all = statistics::share_interval(tallies_of({50, 50, 50}, 50));
  EXPECT_NEAR(all.low, statistics::binomial_interval(3, 3).low, 1e-9);
  EXPECT_EQ(all.high, 1);
  EXPECT_FALSE(statistics::share_interval(tallies_of({50}, 50)).has_bounds());
}

// Each of 8 clusters misses all its 10 cases or none, or each case by itself, in 10 %.
TEST(Clusters, ShareIntervalsHoldTheTruth) {
  constexpr std::uint32_t replications = 2000;
  for (const bool is_common : {false, true}) {
    double right = 0;
    for (std::uint32_t replication = 0; replication < replications; ++replication) {
      std::vector<std::size_t> inside(8);
      for (std::uint32_t i = 0; i < 8; ++i)
        for (std::uint32_t j = 0; j < 10; ++j)
          inside[i] += uniform(replication, 4, is_common ? i : 10 * i + j) > 0.1 ? 1 : 0;
      const statistics::Interval share = statistics::share_interval(tallies_of(inside, 10));
      right += share.low <= 0.9 && 0.9 <= share.high ? 1 : 0;
    }
    EXPECT_GE(right / replications, 0.94) << is_common;
  }
}

}  // namespace
}  // namespace breakeven
