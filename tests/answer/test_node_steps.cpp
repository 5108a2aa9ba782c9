// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/waterfall.h"

#include <gtest/gtest.h>

#include "tests/support/nodes_by_hand.h"

namespace breakeven::analysis {
namespace {

// Two streams: the nodes of the second overlap those of the first.
const std::vector<MadeNode> two_stream_step{{"load", 0, 10},
                                            {"forward", 10, 30},
                                            {"exchange", 25, 60, 8},
                                            {"backward", 30, 50},
                                            {"advance_step_kernel(StepState*)", 60, 62}};

std::vector<std::size_t> sizes_of(const NodeSteps& all) {
  std::vector<std::size_t> sizes;
  for (const NodeGroup& group : all.groups) sizes.push_back(group.nodes.size());
  return sizes;
}

TEST(NodeSteps, EachReplayOfAGraphIsAStep) {
  const NodeSteps all = assign_steps(replays(two_stream_step, 4, 100), 4, 1);
  EXPECT_EQ(all.problem, "");
  EXPECT_EQ(sizes_of(all), (std::vector<std::size_t>{5, 5, 5, 5}));
  EXPECT_EQ(all.groups[2].first_step, 2u);
  EXPECT_EQ(all.nodes[all.groups[2].nodes.front()].start_ns, 200);
}

TEST(NodeSteps, AMissingNodeShortensItsStepAlone) {
  std::vector<NodeRecord> nodes = replays(two_stream_step, 4, 100);
  nodes.erase(nodes.begin() + 6);  // "forward" of step 1
  const NodeSteps all = assign_steps(nodes, 4, 1);
  EXPECT_EQ(all.problem, "");
  EXPECT_EQ(sizes_of(all), (std::vector<std::size_t>{5, 4, 5, 5}));
}

TEST(NodeSteps, ReplaysWithoutANumberAreToldApartByRepetition) {
  std::vector<NodeRecord> nodes = replays(two_stream_step, 3, 100);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].launch = static_cast<std::uint32_t>(i);
  EXPECT_EQ(sizes_of(assign_steps(nodes, 3, 1)), (std::vector<std::size_t>{5, 5, 5}));
}

TEST(NodeSteps, AReplayTooFewIsAProblem) {
  const NodeSteps all = assign_steps(replays(two_stream_step, 3, 100), 4, 1);
  EXPECT_TRUE(all.groups.empty());
  EXPECT_NE(all.problem.find("3 launches of a graph, but the run made 4"), std::string::npos) << all.problem;
  EXPECT_NE(assign_steps({}, 4, 1).problem, "");
}

TEST(NodeSteps, StepsOfSeveralKindsMayHaveOtherNodes) {
  std::vector<NodeRecord> nodes = replays(two_stream_step, 4, 100);
  std::vector<NodeRecord> averaging = replays({{"average", 70, 90}}, 4, 100);
  averaging[3].graph = 2;
  nodes.push_back(averaging[3]);
  EXPECT_EQ(sizes_of(assign_steps(nodes, 4, 1)), (std::vector<std::size_t>{5, 5, 5, 6}));
}

TEST(NodeSteps, ALaunchOfSeveralEqualStepsIsDivided) {
  const std::vector<MadeNode> two{{"layers", 0, 5}, {"update", 5, 9}, {"layers", 10, 15}, {"update", 15, 19}};
  const NodeSteps all =
      assign_steps(replays(two, 3, 100), 5, 2);  // the last launch makes the one that is left
  ASSERT_EQ(sizes_of(all), (std::vector<std::size_t>{2, 2, 2, 2, 4}));
  EXPECT_EQ(all.groups[3].first_step, 3u);
  EXPECT_EQ(all.groups[4].steps, 1u);
}

TEST(NodeSteps, OneKernelOfSeveralStepsStaysWhole) {
  const NodeSteps all = assign_steps(replays({{"resident", 0, 90}}, 3, 100), 60, 20);
  ASSERT_EQ(sizes_of(all), (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(all.groups[1].steps, 20u);
  EXPECT_EQ(all.groups[1].first_step, 20u);
}

TEST(NodeSteps, CopiesApartFromTheGraphBelongToTheStepDuringWhichTheyBegin) {
  std::vector<NodeRecord> nodes = replays(two_stream_step, 3, 100);
  for (const std::int64_t start : {-50, 105, 262, 240}) {
    NodeRecord copy;
    copy.kind = NodeKind::copy;
    copy.start_ns = start;
    copy.end_ns = start + 3;
    nodes.push_back(copy);
  }
  EXPECT_EQ(sizes_of(assign_steps(nodes, 3, 1)), (std::vector<std::size_t>{5, 6, 6}));
}

TEST(NodeSteps, WithoutAGraphTheKernelThatCountsStepsEndsThem) {
  std::vector<NodeRecord> nodes = enqueued(two_stream_step, 4, 100);
  nodes.erase(nodes.begin() + 7);  // a node is missing in step 1
  const NodeRecord result = enqueued({{"copy", 900, 910}}, 30, 0).back();
  nodes.push_back(result);
  EXPECT_EQ(sizes_of(assign_steps(nodes, 4, 1)), (std::vector<std::size_t>{5, 4, 5, 5}));
}

TEST(NodeSteps, WithoutAGraphAndCounterTheRepeatedSequenceIsAStep) {
  const std::vector<MadeNode> plain{{"layers", 0, 5}, {"update", 5, 9}};
  std::vector<NodeRecord> nodes = enqueued(plain, 6, 10);
  NodeRecord result;
  result.name = "device to host";
  result.start_ns = 500;
  result.launch = 5000;
  nodes.push_back(result);
  EXPECT_EQ(sizes_of(assign_steps(nodes, 6, 1)), (std::vector<std::size_t>(6, 2)));
  nodes[3].name = "other";
  EXPECT_NE(assign_steps(nodes, 6, 1).problem.find("do not repeat"), std::string::npos);
}

}  // namespace
}  // namespace breakeven::analysis
