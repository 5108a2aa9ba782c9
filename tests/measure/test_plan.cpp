// SPDX-License-Identifier: Apache-2.0
// From axes to runs: every combination once, what cannot be meant refused with the legal values.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "src/measure/plan/plan.h"
#include "src/measure/plan/possible_cases.h"

namespace breakeven {
namespace {

const std::vector<measure::OfferedPrecision> cuda_precisions{
    {Precision::fp32, {GemmKernel::tuned, GemmKernel::cublas}},
    {Precision::bf16, {GemmKernel::tuned, GemmKernel::tensor_core}}};

std::variant<measure::OfferedStrategy, UsageError> offered_strategy(const std::string& strategy) {
  if (strategy == "single") return measure::OfferedStrategy{.exchanges = false};
  if (strategy == "independent") return measure::OfferedStrategy{.exchanges = false, .copies = true};
  if (strategy == "async-server") return measure::OfferedStrategy{.capturable = false};
  if (strategy == "ddp" || strategy == "ddp:buckets=4MB") return measure::OfferedStrategy{};
  if (strategy == "auto") return measure::OfferedStrategy{.chooses = true};
  return UsageError{"no strategy " + strategy};
}

measure::Offer cuda_offer(int ranks) {
  return {.ranks = ranks,
          .transports = {{Transport::nccl, true}, {Transport::mpi, false}},
          .precisions = cuda_precisions,
          .strategy = offered_strategy,
          .refusal = [](const Case& what) -> std::string {
            const bool has_buckets = what.strategy.word().find("buckets") != std::string::npos;
            return has_buckets && what.gpus == 3 ? "not on three" : "";
          }};
}

measure::Offer choosing_offer(int ranks) {
  measure::Offer offer = cuda_offer(ranks);
  offer.candidates = {"single", "ddp", "ddp:buckets=4MB"};
  return offer;
}

std::vector<Case> plan(const measure::Axes& axes, const measure::Offer& offer) {
  const auto planned = measure::plan_cases(axes, offer);
  if (const auto* error = std::get_if<UsageError>(&planned)) {
    ADD_FAILURE() << error->sentence;
    return {};
  }
  return std::get<std::vector<Case>>(planned);
}

std::string refusal(const measure::Axes& axes, const measure::Offer& offer) {
  const auto planned = measure::plan_cases(axes, offer);
  const auto* error = std::get_if<UsageError>(&planned);
  return error != nullptr ? error->sentence : "";
}

measure::Axes small_axes() {
  measure::Axes axes = measure::run_defaults().axes;
  axes[Axis::batch] = {"16"};
  axes[Axis::timing] = {"steps"};
  return axes;
}

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
  EXPECT_EQ(refusal(axes, cuda_offer(1)),
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
  EXPECT_NE(refusal(axes, offer).find("Pass --scaling strong"), std::string::npos);
  axes[Axis::scaling] = {"strong"};
  offer.candidates = {"independent"};
  EXPECT_NE(refusal(axes, offer).find("--candidates 'independent'"), std::string::npos);
  offer.candidates = {"nonsense"};
  EXPECT_EQ(refusal(axes, offer), "--candidates: no strategy nonsense");
  offer.candidates = {"ddp"};
  axes[Axis::batch] = {"7"};
  EXPECT_EQ(refusal(axes, offer),
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
  EXPECT_NE(refusal(axes, cuda_offer(2)).find("--graph on needs --transports nccl"), std::string::npos);
}

TEST(Plan, RefusesWhatAStrategyCannotDo) {
  measure::Axes axes = small_axes();
  axes[Axis::batch] = {"48"};
  axes[Axis::strategy] = {"ddp:buckets=4MB"};
  EXPECT_EQ(plan(axes, cuda_offer(2)).size(), 2u);
  axes[Axis::gpus] = {"3"};
  EXPECT_EQ(refusal(axes, cuda_offer(3)), "not on three");
}

TEST(Plan, RefusesWithTheLegalValues) {
  const auto refused = [](Axis axis, const char* word) {
    measure::Axes axes = small_axes();
    axes[axis] = {word};
    return refusal(axes, cuda_offer(3));
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
  EXPECT_EQ(refused(Axis::transport, ""), "--transports '' is not one of auto, nccl, mpi");
  EXPECT_NE(refused(Axis::model, "huge").find("is unknown. Use a name"), std::string::npos);
  EXPECT_EQ(refused(Axis::timing, "total"), "--timing 'total' is not one of steps, phases");
  measure::Axes axes = small_axes();
  axes.cases = {"medium"};
  EXPECT_NE(refusal(axes, cuda_offer(3)).find("MODEL:BATCH"), std::string::npos);
}

// "16 fp32": what a baseline and the cases that are compared with it have in common.
std::string group_of(const PlannedRun& run) {
  return word_of(Axis::batch, run.what) + " " + word_of(Axis::precision, run.what);
}

TEST(Plan, ABaselineAndWhatIsComparedWithItFollowOneAnother) {
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

TEST(Plan, RunsAreBlocksThatHoldEachCaseOnceInSeededRandomOrder) {
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
