// SPDX-License-Identifier: Apache-2.0
// The order of the planned runs.
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "src/measure/plan/plan.h"
#include "tests/support/plan_by_hand.h"

namespace breakeven {
namespace {

// "16 fp32": what a baseline and the cases that are compared with it have in common.
std::string group_of(const PlannedRun& run) {
  return word_of(Axis::batch, run.what) + " " + word_of(Axis::precision, run.what);
}

TEST(PlanOrder, ABaselineAndWhatIsComparedWithItFollowOneAnother) {
  measure::Axes axes = small_axes();
  axes[Axis::batch] = {"16", "32", "64", "128"};
  axes[Axis::precision] = {"fp32", "bf16"};
  axes[Axis::strategy] = {"single", "ddp", "ddp:buckets=4MB"};
  axes[Axis::gpus] = {"2"};
  const std::size_t groups = 8, cases_a_group = 3, blocks = 20;
  const std::vector<PlannedRun> runs = measure::plan_runs(plan(axes, cuda_offer(2)), blocks, true, 42);
  ASSERT_EQ(runs.size(), blocks * groups * cases_a_group);
  std::set<std::vector<std::string>> orders_of_groups, orders_in_a_group;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<std::string> order;
    for (std::size_t group = 0; group < groups; ++group) {
      const auto first = runs.begin() + static_cast<std::ptrdiff_t>((block * groups + group) * cases_a_group);
      std::vector<std::string> strategies;
      for (auto run = first; run != first + cases_a_group; ++run) {
        EXPECT_EQ(group_of(*run), group_of(*first));
        strategies.push_back(run->what.strategy.word());
      }
      order.push_back(group_of(*first));
      orders_in_a_group.insert(strategies);
    }
    orders_of_groups.insert(order);
  }
  EXPECT_EQ(orders_of_groups.size(), blocks);
  EXPECT_EQ(orders_in_a_group.size(), 6u);
}

TEST(PlanOrder, RunsAreBlocksThatHoldEachCaseOnceInSeededRandomOrder) {
  measure::Axes axes = small_axes();
  axes[Axis::batch] = {"16", "32", "64", "128"};
  const std::vector<Case> cases = plan(axes, cuda_offer(2));
  const std::vector<PlannedRun> runs = measure::plan_runs(cases, 3, true, 42);
  ASSERT_EQ(runs.size(), 3 * cases.size());
  std::vector<std::vector<std::string>> orders;
  for (std::size_t block = 0; block < 3; ++block) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const PlannedRun& run = runs[block * cases.size() + i];
      EXPECT_EQ(run.repeat, block);
      EXPECT_EQ(run.order, block * cases.size() + i);
      labels.push_back(label_of(run.what));
    }
    EXPECT_EQ(std::set(labels.begin(), labels.end()).size(), cases.size());
    orders.push_back(labels);
  }
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orders[1], orders[2]);
  EXPECT_EQ(measure::plan_runs(cases, 1, true, 42)[0].what, runs[0].what);
  EXPECT_EQ(measure::plan_runs(cases, 1, false, 42)[0].what, cases[0]);
}

}  // namespace
}  // namespace breakeven
