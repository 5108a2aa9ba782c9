// SPDX-License-Identifier: Apache-2.0
// The meshes of a strategy on other numbers of GPUs, and who exchanges what in them.
#include "src/predict/meshes.h"

#include <gtest/gtest.h>

#include "src/core/strategy/case_strategy.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

TEST(Meshes, EveryDivisorHasItsForms) {
  const auto tensor = predict::forms_on("tensor", 8);
  EXPECT_EQ(tensor, (std::vector<std::string>{"tensor", "hybrid:data=4:tensor=2", "hybrid:data=2:tensor=4"}));
  EXPECT_EQ(predict::forms_on("tensor", 2), std::vector<std::string>{"tensor"});
  EXPECT_EQ(predict::forms_on("hybrid:tensor=2", 2), std::vector<std::string>{"tensor"}) << "a mesh of 1 x 2";
  EXPECT_EQ(predict::forms_on("hybrid:data=2:tensor=2", 4),
            (std::vector<std::string>{"hybrid:data=2:tensor=2", "tensor"}));
  EXPECT_EQ(predict::forms_on("ddp:buckets=4MB", 8), std::vector<std::string>{"ddp:buckets=4MB"});
  const auto pipeline = predict::forms_on("pipeline:schedule=gpipe", 4);
  EXPECT_NE(std::ranges::find(pipeline, "pipeline:schedule=gpipe:micro-batches=16"), pipeline.end());
  EXPECT_NE(std::ranges::find(pipeline, "hybrid:data=2:pipeline=2:schedule=gpipe:micro-batches=8"),
            pipeline.end());
  for (const auto& form : pipeline)
    EXPECT_TRUE(std::holds_alternative<StrategyChoice>(parse_strategy(form))) << form;
}

// The gradient of a mesh goes from model to model; what splits a model stays within it.
TEST(Meshes, TheGradientCrossesModels) {
  const Case what = case_of_model("512-512-512-512", 512, 16, "hybrid:data=4:tensor=4");
  const auto placed = predict::placed_in_mesh(*messages_of_case(what, 0), what);
  ASSERT_GT(placed.size(), 1u);
  for (const predict::PlacedMessage& one : placed) EXPECT_EQ(one.stride, &one == &placed.back() ? 4 : 1);
  const std::size_t parameters = std::get<ModelShape>(parse_model("512-512-512-512")).parameters();
  EXPECT_NEAR(double(placed.back().message.bytes) / (parameters), 1, 0.1) << "a fourth, of four bytes each";
}

}  // namespace
}  // namespace breakeven
