// SPDX-License-Identifier: Apache-2.0
// From axes to cases: every combination once, what cannot be meant refused with the legal values.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "src/measure/plan/plan.h"
#include "src/measure/plan/possible_cases.h"
#include "tests/support/plan_by_hand.h"

namespace breakeven {
namespace {

TEST(Plan, IndependentCopiesHaveTheWholeBatch) {
  measure::Axes axes = small_axes();
  axes[Axis::strategy] = {"independent"};
  axes[Axis::batch] = {"17"};
  for (const char* scaling : {"strong", "weak"}) {
    axes[Axis::scaling] = {scaling};
    const std::vector<Case> cases = plan(axes, cuda_offer(2));
    ASSERT_EQ(cases.size(), 2u) << scaling;
    EXPECT_EQ(cases[1].gpus, 2);
    EXPECT_EQ(cases[1].batch, 17u);
    EXPECT_EQ(cases[1].transport, Transport::none);
  }
}

TEST(Plan, AStrategyThatWaitsOnTheHostHasNoGraph) {
  measure::Axes axes = small_axes();
  axes[Axis::strategy] = {"async-server"};
  EXPECT_FALSE(plan(axes, cuda_offer(1)).at(0).graph);
  axes[Axis::graph] = {"on"};
  EXPECT_EQ(refusal_of_plan(axes, cuda_offer(1)),
            "--graph on does not work with 'async-server': the host waits for its messages, which a CUDA "
            "graph cannot capture. Pass --graph off");
}

TEST(Plan, AutoIsOneCaseThatLeavesTheGpusOpen) {
  measure::Axes axes = small_axes();
  axes[Axis::batch] = {"12"};
  axes[Axis::gpus] = {"1", "2", "3"};
  axes[Axis::strategy] = {"auto", "single"};
  const std::vector<Case> cases = plan(axes, choosing_offer(3));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].strategy, "auto");
  EXPECT_EQ(cases[0].gpus, 3);
  EXPECT_EQ(cases[0].chosen, "");
  EXPECT_EQ(trained_strategy(cases[1]), "single");
}

TEST(Plan, CandidatesAreThePossibleConfigurations) {
  measure::Axes axes = small_axes();
  axes[Axis::strategy] = {"auto"};
  axes[Axis::batch] = {"12"};
  const measure::Offer offer = choosing_offer(3);
  const Case asked = plan(axes, offer).at(0);
  std::vector<std::pair<std::string, int>> found;
  for (const Case& what : measure::candidates_of(asked, {1, 2, 3}, offer)) {
    found.emplace_back(what.strategy, what.gpus);
    EXPECT_EQ(what.transport, what.gpus > 1 ? Transport::nccl : Transport::none);
    EXPECT_TRUE(what.graph);
  }
  // No exchange on one GPU; the offer refuses buckets on three.
  const std::vector<std::pair<std::string, int>> expected{
      {"single", 1}, {"ddp", 2}, {"ddp", 3}, {"ddp:buckets=4MB", 2}};
  EXPECT_EQ(found, expected);
  Case odd = asked;
  odd.batch = 9;
  EXPECT_EQ(measure::candidates_of(odd, {1, 2, 3}, offer).size(), 2u);  // 9 divides by 3 alone
}

TEST(Plan, AutoRefusesWhatItCannotChoose) {
  measure::Axes axes = small_axes();
  axes[Axis::strategy] = {"auto"};
  measure::Offer offer = choosing_offer(2);
  axes[Axis::scaling] = {"weak"};
  EXPECT_NE(refusal_of_plan(axes, offer).find("Pass --scaling strong"), std::string::npos);
  axes[Axis::scaling] = {"strong"};
  offer.candidates = {"independent"};
  EXPECT_NE(refusal_of_plan(axes, offer).find("--candidates 'independent'"), std::string::npos);
  offer.candidates = {"nonsense"};
  EXPECT_EQ(refusal_of_plan(axes, offer), "--candidates: no strategy nonsense");
  offer.candidates = {"ddp"};
  axes[Axis::batch] = {"7"};
  EXPECT_EQ(refusal_of_plan(axes, offer),
            "--strategies auto: none of ddp can train model 'medium' at batch 7 on 2 GPUs");
}

TEST(Plan, SingleIsOneCaseAndDdpOneForEachGpuCount) {
  const std::vector<Case> cases = plan(small_axes(), cuda_offer(2));
  ASSERT_EQ(cases.size(), 3u);
  Case expected{.model = "medium",
                .batch = 16,
                .gpus = 1,
                .strategy = "single",
                .precision = Precision::fp32,
                .gemm = GemmKernel::tuned,
                .transport = Transport::none,
                .scaling = Scaling::strong,
                .timing = Timing::steps,
                .graph = true,
                .data = DataPlacement::resident};
  EXPECT_EQ(cases[0], expected);
  expected.strategy = "ddp";
  expected.transport = Transport::nccl;
  EXPECT_EQ(cases[1], expected);
  expected.gpus = 2;
  EXPECT_EQ(cases[2], expected);
}

// Precision changes the slowest of these, GPUs the fastest; no case is listed twice.
TEST(Plan, TakesEveryCombinationInTheOrderOfTheProduct) {
  measure::Axes axes = small_axes();
  axes[Axis::precision] = {"fp32", "bf16"};
  axes[Axis::timing] = {"steps", "phases"};
  axes[Axis::strategy] = {"ddp"};
  axes[Axis::gpus] = {"2", "1"};
  std::vector<std::string> found;
  for (const Case& what : plan(axes, cuda_offer(2)))
    found.push_back(word_of(Axis::precision, what) + " " + word_of(Axis::timing, what) + " " +
                    word_of(Axis::gpus, what));
  const std::vector<std::string> expected{"fp32 total 2", "fp32 total 1", "fp32 phases 2", "fp32 phases 1",
                                          "bf16 total 2", "bf16 total 1", "bf16 phases 2", "bf16 phases 1"};
  EXPECT_EQ(found, expected);
}

TEST(Plan, CasesGiveModelsBatchesOfTheirOwn) {
  measure::Axes axes = small_axes();
  axes[Axis::strategy] = {"single"};
  axes.cases = {"medium:16,32", "784-512-10: 8"};
  const std::vector<Case> cases = plan(axes, cuda_offer(1));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[1].batch, 32u);
  EXPECT_EQ(cases[2].model, "784-512-10");
  EXPECT_EQ(cases[2].batch, 8u);
}

TEST(Plan, WeakScalingMultipliesTheBatch) {
  measure::Axes axes = small_axes();
  axes[Axis::scaling] = {"weak"};
  const std::vector<Case> cases = plan(axes, cuda_offer(4));
  EXPECT_EQ(cases.back().gpus, 4);
  EXPECT_EQ(cases.back().batch, 64u);
}

TEST(Plan, ExchangeThroughMpiOnGpusRunsWithoutGraphUnlessItIsAskedFor) {
  measure::Axes axes = small_axes();
  axes[Axis::transport] = {"mpi"};
  for (const Case& what : plan(axes, cuda_offer(2))) EXPECT_EQ(what.graph, what.strategy == "single");
  axes[Axis::graph] = {"on"};
  EXPECT_NE(refusal_of_plan(axes, cuda_offer(2)).find("--graph on needs --transports nccl"),
            std::string::npos);
}

TEST(Plan, AllTransportsAreThoseThatGraphsCanHold) {
  const auto transports_of_ddp = [](const measure::Offer& offer) {
    measure::Axes axes = small_axes();
    axes[Axis::transport] = {"all"};
    axes[Axis::batch] = {"16"};
    axes[Axis::gpus] = {"2"};
    std::vector<std::string> found;
    for (const Case& what : plan(axes, offer)) {
      if (what.strategy == "ddp") found.emplace_back(what.transport.word());
    }
    return found;
  };
  measure::Offer offer = cuda_offer(2);
  EXPECT_EQ(transports_of_ddp(offer), std::vector<std::string>{"nccl"});
  offer.transports.push_back({Transport::peer, true});
  EXPECT_EQ(transports_of_ddp(offer), (std::vector<std::string>{"nccl", "peer"}));
  offer.transports.back().failed = true;
  EXPECT_EQ(transports_of_ddp(offer), std::vector<std::string>{"nccl"});
  offer.transports = {{Transport::mpi, false}};
  EXPECT_EQ(transports_of_ddp(offer), std::vector<std::string>{"mpi"});
}

TEST(Plan, OneGpuHasOneTransport) {
  measure::Axes axes = small_axes();
  axes[Axis::transport] = {"nccl", "mpi"};
  std::vector<std::string> found;
  for (const Case& what : plan(axes, cuda_offer(2))) {
    if (what.strategy == "ddp") found.push_back(fmt::format("{} {}", what.gpus, what.transport));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"1 nccl", "2 nccl", "2 mpi"}));
}

TEST(Plan, SaysWhyATransportCannotBeUsed) {
  measure::Offer offer = cuda_offer(2);
  offer.refused_transports = {{Transport::peer, "these GPUs do not reach each other"}};
  measure::Axes axes = small_axes();
  axes[Axis::transport] = {"all", "peer"};
  EXPECT_EQ(refusal_of_plan(axes, offer), "these GPUs do not reach each other");
  axes[Axis::transport] = {"all"};
  EXPECT_EQ(refusal_of_plan(axes, offer), "");
}

TEST(Plan, RefusesWhatAStrategyCannotDo) {
  measure::Axes axes = small_axes();
  axes[Axis::batch] = {"48"};
  axes[Axis::strategy] = {"ddp:buckets=4MB"};
  EXPECT_EQ(plan(axes, cuda_offer(2)).size(), 2u);
  axes[Axis::gpus] = {"3"};
  EXPECT_EQ(refusal_of_plan(axes, cuda_offer(3)), "not on three");
}

TEST(Plan, RefusesWithTheLegalValues) {
  const auto refused = [](Axis axis, const char* word) {
    measure::Axes axes = small_axes();
    axes[axis] = {word};
    return refusal_of_plan(axes, cuda_offer(3));
  };
  EXPECT_EQ(refused(Axis::batch, "16"), "batch 16 does not divide evenly over 3 GPUs; use 15 or 18");
  EXPECT_EQ(refused(Axis::batch, "1"), "batch 1 does not divide evenly over 3 GPUs; use 3");
  EXPECT_NE(refused(Axis::batch, "0").find("whole number"), std::string::npos);
  EXPECT_NE(refused(Axis::batch, "x").find("whole number"), std::string::npos);
  EXPECT_NE(refused(Axis::gpus, "x").find("1 to 3"), std::string::npos);
  EXPECT_EQ(refused(Axis::gpus, "4"),
            "--gpus 4 needs 4 ranks; this launch has 3. Run: mpirun -np 4 breakeven run");
  EXPECT_EQ(refused(Axis::strategy, "dpp"), "no strategy dpp");
  EXPECT_EQ(refused(Axis::gemm, "fast"),
            "--gemm 'fast' is not a kernel for fp32. Use auto or one of tuned, cublas");
  EXPECT_EQ(refused(Axis::precision, "fp8"), "--precisions 'fp8' is not one of fp32, bf16");
  EXPECT_EQ(refused(Axis::transport, ""), "--transports '' is not one of auto, all, nccl, mpi");
  EXPECT_NE(refused(Axis::model, "huge").find("is unknown. Use a name"), std::string::npos);
  EXPECT_EQ(refused(Axis::timing, "total"), "--timing 'total' is not one of steps, phases");
  measure::Axes axes = small_axes();
  axes.cases = {"medium"};
  EXPECT_NE(refusal_of_plan(axes, cuda_offer(3)).find("MODEL:BATCH"), std::string::npos);
}

}  // namespace
}  // namespace breakeven
