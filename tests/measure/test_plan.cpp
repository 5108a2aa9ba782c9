// SPDX-License-Identifier: Apache-2.0
// From axes to runs: every combination once, what cannot be meant refused with the legal values.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "src/measure/plan/candidates.h"
#include "src/measure/plan/plan.h"

namespace breakeven {
namespace {

const std::vector<OfferedPrecision> cuda_precisions{{"fp32", {"tuned", "cublas"}},
                                                    {"bf16", {"tuned", "tensor-core"}}};

std::variant<OfferedStrategy, UsageError> offered_strategy(const std::string& strategy) {
  if (strategy == "single") return OfferedStrategy{.exchanges = false};
  if (strategy == "independent") return OfferedStrategy{.exchanges = false, .copies = true};
  if (strategy == "async-server") return OfferedStrategy{.capturable = false};
  if (strategy == "ddp" || strategy == "ddp:buckets=4MB") return OfferedStrategy{};
  if (strategy == "auto") return OfferedStrategy{.chooses = true};
  return UsageError{"no strategy " + strategy};
}

Offer cuda_offer(int ranks) {
  return {ranks, true, true, cuda_precisions, offered_strategy, [](const Case& what) -> std::string {
            return what.strategy.find("buckets") != what.strategy.npos && what.gpus == 3 ? "not on three"
                                                                                         : "";
          }};
}

Offer choosing_offer(int ranks) {
  Offer offer = cuda_offer(ranks);
  offer.candidates = {"single", "ddp", "ddp:buckets=4MB"};
  return offer;
}

std::vector<Case> plan(const Axes& axes, const Offer& offer) {
  const auto planned = plan_cases(axes, offer);
  if (const auto* error = std::get_if<UsageError>(&planned)) {
    ADD_FAILURE() << error->sentence;
    return {};
  }
  return std::get<std::vector<Case>>(planned);
}

std::string refusal(const Axes& axes, const Offer& offer) {
  const auto planned = plan_cases(axes, offer);
  const auto* error = std::get_if<UsageError>(&planned);
  return error != nullptr ? error->sentence : "";
}

Axes small_axes() {
  Axes axes = run_defaults().axes;
  axes.batches = {"16"};
  axes.instruments = {"total"};
  return axes;
}

TEST(Plan, CopiesHaveTheWholeBatchEach) {
  Axes axes = small_axes();
  axes.strategies = {"independent"};
  axes.batches = {"17"};
  for (const char* scaling : {"strong", "weak"}) {
    axes.scaling = {scaling};
    const std::vector<Case> cases = plan(axes, cuda_offer(2));
    ASSERT_EQ(cases.size(), 2u) << scaling;
    EXPECT_EQ(cases[1].gpus, 2);
    EXPECT_EQ(cases[1].batch, 17u);
    EXPECT_EQ(cases[1].collective, "none");
  }
}

TEST(Plan, WhatWaitsOnTheHostIsNoGraph) {
  Axes axes = small_axes();
  axes.strategies = {"async-server"};
  EXPECT_FALSE(plan(axes, cuda_offer(1)).at(0).graph);
  axes.graph = {"on"};
  EXPECT_EQ(refusal(axes, cuda_offer(1)),
            "--graph on does not work with 'async-server': its messages are waited for on the host, which a "
            "CUDA graph cannot capture. Pass --graph off");
}

TEST(Plan, AutoIsOneCaseThatLeavesTheGpusOpen) {
  Axes axes = small_axes();
  axes.batches = {"12"};
  axes.gpus = {"1", "2", "3"};
  axes.strategies = {"auto", "single"};
  const std::vector<Case> cases = plan(axes, choosing_offer(3));
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].strategy, "auto");
  EXPECT_EQ(cases[0].gpus, 3);
  EXPECT_EQ(cases[0].chosen, "");
  EXPECT_EQ(trained_strategy(cases[1]), "single");
}

TEST(Plan, CandidatesAreTheWaysThatArePossible) {
  Axes axes = small_axes();
  axes.strategies = {"auto"};
  axes.batches = {"12"};
  const Offer offer = choosing_offer(3);
  const Case asked = plan(axes, offer).at(0);
  std::vector<std::pair<std::string, int>> found;
  for (const Case& what : candidates_of(asked, {1, 2, 3}, offer)) {
    found.emplace_back(what.strategy, what.gpus);
    EXPECT_EQ(what.collective, what.gpus > 1 ? "nccl" : "none");
    EXPECT_TRUE(what.graph);
  }
  // No exchange on one GPU; the offer refuses buckets on three.
  const std::vector<std::pair<std::string, int>> expected{
      {"single", 1}, {"ddp", 2}, {"ddp", 3}, {"ddp:buckets=4MB", 2}};
  EXPECT_EQ(found, expected);
  Case odd = asked;
  odd.batch = 9;
  EXPECT_EQ(candidates_of(odd, {1, 2, 3}, offer).size(), 2u);  // 9 divides by 3 alone
}

TEST(Plan, AutoRefusesWhatItCannotChoose) {
  Axes axes = small_axes();
  axes.strategies = {"auto"};
  Offer offer = choosing_offer(2);
  axes.scaling = {"weak"};
  EXPECT_NE(refusal(axes, offer).find("pass --scaling strong"), std::string::npos);
  axes.scaling = {"strong"};
  offer.candidates = {"independent"};
  EXPECT_NE(refusal(axes, offer).find("--candidates 'independent'"), std::string::npos);
  offer.candidates = {"nonsense"};
  EXPECT_EQ(refusal(axes, offer), "--candidates: no strategy nonsense");
  offer.candidates = {"ddp"};
  axes.batches = {"7"};
  EXPECT_EQ(refusal(axes, offer), "--strategies auto: none of ddp can train 'medium' at batch 7 on 2 GPUs");
}

TEST(Plan, SingleIsOneCaseAndDdpOneForEachGpuCount) {
  const std::vector<Case> cases = plan(small_axes(), cuda_offer(2));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0],
            (Case{"medium", 16, 1, "single", "fp32", "tuned", "none", "strong", "total", true, "resident"}));
  EXPECT_EQ(cases[1],
            (Case{"medium", 16, 1, "ddp", "fp32", "tuned", "nccl", "strong", "total", true, "resident"}));
  EXPECT_EQ(cases[2],
            (Case{"medium", 16, 2, "ddp", "fp32", "tuned", "nccl", "strong", "total", true, "resident"}));
}

TEST(Plan, CasesGiveModelsBatchesOfTheirOwn) {
  Axes axes = small_axes();
  axes.strategies = {"single"};
  axes.cases = {"medium:16,32", "784-512-10: 8"};
  const std::vector<Case> cases = plan(axes, cuda_offer(1));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[1].batch, 32u);
  EXPECT_EQ(cases[2].model, "784-512-10");
  EXPECT_EQ(cases[2].batch, 8u);
}

TEST(Plan, WeakScalingMultipliesTheBatch) {
  Axes axes = small_axes();
  axes.scaling = {"weak"};
  const std::vector<Case> cases = plan(axes, cuda_offer(4));
  EXPECT_EQ(cases.back().gpus, 4);
  EXPECT_EQ(cases.back().batch, 64u);
}

TEST(Plan, ExchangeThroughMpiOnGpusRunsWithoutGraphUnlessItIsAskedFor) {
  Axes axes = small_axes();
  axes.collectives = {"mpi"};
  for (const Case& what : plan(axes, cuda_offer(2))) EXPECT_EQ(what.graph, what.strategy == "single");
  axes.graph = {"on"};
  EXPECT_NE(refusal(axes, cuda_offer(2)).find("--graph on needs --collectives nccl"), std::string::npos);
}

TEST(Plan, RefusesWhatAStrategyCannotDo) {
  Axes axes = small_axes();
  axes.batches = {"48"};
  axes.strategies = {"ddp:buckets=4MB"};
  EXPECT_EQ(plan(axes, cuda_offer(2)).size(), 2u);
  axes.gpus = {"3"};
  EXPECT_EQ(refusal(axes, cuda_offer(3)), "not on three");
}

TEST(Plan, RefusesWithTheLegalValues) {
  const auto refused = [](std::vector<std::string> Axes::*axis, const char* word) {
    Axes axes = small_axes();
    axes.*axis = {word};
    return refusal(axes, cuda_offer(3));
  };
  EXPECT_EQ(refused(&Axes::batches, "16"), "batch 16 does not divide evenly over 3 GPUs; use 15 or 18");
  EXPECT_EQ(refused(&Axes::batches, "1"), "batch 1 does not divide evenly over 3 GPUs; use 3");
  EXPECT_NE(refused(&Axes::batches, "0").find("whole number"), std::string::npos);
  EXPECT_NE(refused(&Axes::batches, "x").find("whole number"), std::string::npos);
  EXPECT_NE(refused(&Axes::gpus, "4").find("1 to 3"), std::string::npos);
  EXPECT_EQ(refused(&Axes::strategies, "dpp"), "no strategy dpp");
  EXPECT_EQ(refused(&Axes::gemm, "fast"),
            "--gemm 'fast' is not one of auto, tuned, cublas, the kernels for fp32");
  EXPECT_EQ(refused(&Axes::precisions, "fp8"), "--precisions 'fp8' is not one of fp32, bf16");
  EXPECT_EQ(refused(&Axes::collectives, ""), "--collectives '' is not one of auto, nccl, mpi");
  EXPECT_NE(refused(&Axes::models, "huge").find("is unknown. Use a name"), std::string::npos);
  EXPECT_NE(refused(&Axes::cases, "medium").find("MODEL:BATCH"), std::string::npos);
}

TEST(Plan, RunsAreBlocksThatHoldEachCaseOnceInSeededRandomOrder) {
  Axes axes = small_axes();
  axes.batches = {"16", "32", "64", "128"};
  const std::vector<Case> cases = plan(axes, cuda_offer(2));
  const std::vector<PlannedRun> runs = plan_runs(cases, 3, true, 42);
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
  EXPECT_EQ(plan_runs(cases, 1, true, 42)[0].what, runs[0].what);
  EXPECT_EQ(plan_runs(cases, 1, false, 42)[0].what, cases[0]);
}

}  // namespace
}  // namespace breakeven
