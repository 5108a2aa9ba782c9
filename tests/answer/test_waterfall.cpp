// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/waterfall.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/nodes_by_hand.h"

namespace breakeven::analysis {
namespace {

const std::vector<MadeNode> overlapped_step{{"load", 0, 10},
                                            {"gemm forward <1>", 12, 30},
                                            {"exchange", 25, 60, 8},
                                            {"gemm forward <2>", 30, 50},
                                            {"update", 60, 70}};

std::int64_t sum_of_parts(const Waterfall& fall) {
  std::int64_t sum = fall.overlap_ns + fall.idle_ns;
  for (const WaterfallRow& row : fall.rows) sum += row.gap_ns + row.adds_ns;
  return sum;
}

TEST(Waterfall, ANodeAddsTheTimeThatNoEarlierNodeCovers) {
  const NodeSteps all = assign_steps(replays(overlapped_step, 3, 100), 3, 1);
  const Waterfall fall = waterfall_of(all, 1);
  EXPECT_EQ(fall.begin_ns, 100);
  EXPECT_EQ(fall.length_ns, 100);
  std::vector<std::int64_t> gaps, adds;
  for (const WaterfallRow& row : fall.rows) {
    gaps.push_back(row.gap_ns);
    adds.push_back(row.adds_ns);
  }
  EXPECT_EQ(gaps, (std::vector<std::int64_t>{0, 2, 0, 0, 0}));
  EXPECT_EQ(adds, (std::vector<std::int64_t>{10, 18, 30, 0, 10}));
  EXPECT_EQ(fall.idle_ns, 30);
  EXPECT_EQ(fall.overlap_ns, 0);
}

TEST(Waterfall, ThePartsAreTheWholeStepWhateverOverlaps) {
  for (const std::int64_t apart :
       {55, 65, 100}) {  // shorter than a replay: the next one begins before it has ended
    const NodeSteps all = assign_steps(replays(overlapped_step, 5, apart), 5, 1);
    for (std::size_t i = 0; i < 5; ++i) {
      const Waterfall fall = waterfall_of(all, i);
      EXPECT_EQ(sum_of_parts(fall), fall.length_ns) << apart << " " << i;
      EXPECT_EQ(fall.length_ns, i < 4 ? apart : 70);
    }
  }
  EXPECT_EQ(waterfall_of(assign_steps(replays(overlapped_step, 3, 65), 3, 1), 1).overlap_ns, 5);
}

TEST(Waterfall, TheMedianStepIsOneOfThoseWithTheUsualNodes) {
  std::vector<NodeRecord> nodes = replays(overlapped_step, 6, 100);
  // The steps take 200, 140, 103, 107 and 100.
  const std::vector<std::pair<std::size_t, std::int64_t>> later{{5, 100}, {10, 40}, {15, 3}, {20, 7}};
  for (const auto& [from, by] : later) {
    for (std::size_t i = from; i < nodes.size(); ++i) nodes[i].start_ns += by, nodes[i].end_ns += by;
  }
  nodes.erase(nodes.begin() + 1);  // step 0 lacks a node
  const NodeSteps all = assign_steps(nodes, 6, 1);
  ASSERT_TRUE(median_group(all));
  EXPECT_EQ(waterfall_of(all, *median_group(all)).length_ns, 103);
}

TEST(Waterfall, ASingleStepIsItsOwnMedian) {
  const NodeSteps all = assign_steps(replays(overlapped_step, 1, 100), 1, 1);
  ASSERT_EQ(median_group(all), 0u);
  EXPECT_EQ(waterfall_of(all, 0).length_ns, 70);
  EXPECT_FALSE(median_group(assign_steps({}, 3, 1)));
}

TEST(Waterfall, SumsJoinWhatDiffersInItsTileAlone) {
  const NodeSteps all = assign_steps(replays(overlapped_step, 3, 100), 3, 1);
  const std::vector<NodeSum> sums = sums_by_kind(all, waterfall_of(all, 0));
  ASSERT_EQ(sums.size(), 4u);
  EXPECT_EQ(sums.front().kind, "exchange");
  const auto gemm = std::ranges::find(sums, "gemm forward", &NodeSum::kind);
  ASSERT_NE(gemm, sums.end());
  EXPECT_EQ(gemm->count, 2u);
  EXPECT_EQ(gemm->total_ns, 38);
  EXPECT_EQ(gemm->adds_ns, 18);
}

}  // namespace
}  // namespace breakeven::analysis
