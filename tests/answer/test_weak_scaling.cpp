// SPDX-License-Identifier: Apache-2.0
// Files of weak scaling, alone and beside strong scaling: what the report says of them, and what advise
// knows.
#include <gtest/gtest.h>

#include <cmath>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/advisor.h"
#include "src/predict/scale_model.h"
#include "tests/support/machine_by_hand.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

constexpr double base_seconds = 1e-3;

// One GPU takes 1 ms for every 16 samples. Two are 1.2 times as fast with the same batch in all, 1.6 times
// with the same on each. `batches` are those that were typed.
Results scaled(const std::vector<Scaling>& scalings, const std::vector<std::uint32_t>& batches = {16, 64}) {
  Results results;
  results.path = "weak.h5";
  Launch launch = launch_by_hand(2);
  launch.roofline = {roofline_by_hand(), roofline_by_hand()};
  launch.message_times = message_times_by_hand();
  results.launches.push_back(std::move(launch));
  for (const Scaling scaling : scalings) {
    const bool is_weak = scaling == Scaling::weak;
    for (const std::uint32_t batch : batches) {
      for (std::uint32_t repeat = 0; repeat < 4; ++repeat) {
        const double seconds = base_seconds * batch / 16 * (1 + 1e-3 * repeat);
        for (const int gpus : {1, 2}) {
          Case what = case_by_hand(is_weak ? batch * static_cast<std::uint32_t>(gpus) : batch, gpus,
                                   gpus == 1 ? "single" : "ddp");
          what.scaling = scaling;
          const double speedup = gpus == 1 ? 1 : is_weak ? 1.6 / 2 : 1.2;
          results.runs.push_back(run_by_hand(what, repeat, seconds / speedup * (1 + 1e-4 * (repeat % 2))));
        }
      }
    }
  }
  return results;
}

const std::vector both{Scaling::weak, Scaling::strong};

std::string said(const Results& results, const std::string& section) {
  return on_one_line(report::make_report(results, {.sections = {section}}));
}

predict::Query query_at(std::uint32_t batch) {
  predict::Query query;
  query.model = "medium";
  query.batch = batch;
  return query;
}

const predict::Configuration* on_two(const std::vector<predict::Configuration>& configs) {
  for (const predict::Configuration& config : configs)
    if (config.what.gpus == 2) return &config;
  return nullptr;
}

TEST(WeakScaling, TheFirstLinesNameTheScalingAndTheBatchThatWasTyped) {
  const std::string text = said(scaled(both), "answers");
  EXPECT_TRUE(contains(text, "ddp, strong scaling: faster at every batch tested, 16 to 64 (at 16 1.2"))
      << text;
  EXPECT_TRUE(
      contains(text, "ddp, weak scaling: faster at every batch tested, 16 to 64 a GPU (at 16 a GPU 1.6"))
      << text;
  EXPECT_TRUE(contains(text, "(weak) pays at every measured batch (16 a GPU to 64 a GPU)")) << text;
  EXPECT_TRUE(contains(text, "at batch 16 a GPU (32 over all; ")) << text;
  EXPECT_TRUE(contains(said(scaled({Scaling::weak}), "answers"), "ddp, weak scaling: faster"));
  EXPECT_FALSE(contains(said(scaled({Scaling::strong}), "answers"), "scaling:"));
}

TEST(WeakScaling, ProgressSaysTheBatchThatWasTyped) {
  Case what = case_by_hand(128, 2, "ddp");
  EXPECT_EQ(label_with_rows(what), label_of(what));
  what.scaling = Scaling::weak;
  EXPECT_EQ(label_with_rows(what), label_of(what) + " (64 a GPU)");
}

TEST(WeakScaling, BreakEvensAreByTheBatchOfAGpu) {
  const std::string text = said(scaled(both), "break-even");
  EXPECT_TRUE(contains(text, "ddp on 2, weak 16–64 a GPU faster at every value tested")) << text;
  const nlohmann::json report = json_of(scaled({Scaling::weak}));
  ASSERT_EQ(report["break_evens"].size(), 1u);
  EXPECT_EQ(report["break_evens"][0]["from"], 16);
  EXPECT_EQ(report["break_evens"][0]["scaling"], "weak");
}

TEST(WeakScaling, StandsBesideStrongScaling) {
  const std::string text = said(scaled(both), "scaling");
  EXPECT_TRUE(contains(text, "16 ddp 2 1.200")) << text;
  EXPECT_TRUE(contains(text, ") 32 1.600")) << text;
  EXPECT_TRUE(contains(text, "- Strong keeps the global batch")) << text;
  EXPECT_TRUE(contains(text, "- Weak multiplies the batch")) << text;
  EXPECT_TRUE(contains(on_one_line(report::make_report(scaled(both), {})), "the same batch per GPU?"));
  for (const Scaling alone : {Scaling::strong, Scaling::weak})
    EXPECT_FALSE(contains(said(scaled({alone}), "scaling"), "the same batch per GPU?"));
  const nlohmann::json row = json_of(scaled(both))["strong_and_weak"][1];
  EXPECT_EQ(row["batch"], 64);
  EXPECT_EQ(row["weak_batch"], 128);
  EXPECT_NEAR(row["weak_speedup"], 1.6, 1e-3);
  EXPECT_NEAR(row["strong_speedup"], 1.2, 1e-3);
}

// Speed-ups over other baselines do not compete.
TEST(WeakScaling, TheFastestIsOfOneScaling) {
  const nlohmann::json report = json_of(scaled(both, {16, 32}));
  EXPECT_TRUE(report["fastest"].empty()) << report["fastest"];
}

TEST(WeakScaling, AdviceKnowsStepsByTheirGlobalBatch) {
  for (const std::vector<Scaling>& scalings : {both, {Scaling::weak}}) {
    const Results results = scaled(scalings);
    const analysis::FileAnalysis file(results);
    const std::vector<predict::Configuration> configs = predict::Advisor(file).configurations(query_at(128));
    const predict::Configuration* more = on_two(configs);
    ASSERT_NE(more, nullptr);
    EXPECT_TRUE(more->is_measured);
    EXPECT_NEAR(more->seconds.centre, 4e-3 * 2 / 1.6, 1e-5);
    EXPECT_EQ(configs.size(), 2u) << "a case of both scalings counts once";
  }
}

// One GPU was measured at 64 samples, and two at 64 with 32 on each.
TEST(WeakScaling, AdviceComparesAtOneGlobalBatch) {
  const Results results = scaled({Scaling::weak}, {32, 64});
  const analysis::FileAnalysis file(results);
  const std::vector<predict::Configuration> configs = predict::Advisor(file).configurations(query_at(64));
  ASSERT_EQ(configs.size(), 2u);
  EXPECT_NEAR(on_two(configs)->speedup.centre, 1.6, 1e-3);
}

TEST(WeakScaling, PredictionsAnswerWithTheSpeedUpsOfTheReport) {
  const Results results = scaled(both);
  const analysis::FileAnalysis file(results);
  const predict::ScaleModel model(file, predict::machine_as_measured());
  for (const auto& [scaling, batch, speedup] :
       {std::tuple(Scaling::strong, 64u, 1.2), {Scaling::weak, 128u, 1.6}}) {
    const auto configs = model.configurations(query_at(64), scaling, 2);
    ASSERT_EQ(configs.size(), 1u);
    EXPECT_EQ(configs.front().what.batch, batch);
    EXPECT_NEAR(configs.front().speedup.centre, speedup, 1e-3);
    EXPECT_NE(configs.front().measured_speedup, nullptr);
  }
}

}  // namespace
}  // namespace breakeven
