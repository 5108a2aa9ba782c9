// SPDX-License-Identifier: Apache-2.0
// The list of products: those of a model by hand, typed shapes, and how operands are stored.
#include "src/bench/kernels/gemm_task.h"

#include <gtest/gtest.h>

#include "src/core/text/command_options.h"

namespace breakeven {
namespace {

std::vector<std::string> labels_of(const std::vector<bench::GemmTask>& tasks) {
  std::vector<std::string> labels;
  for (const bench::GemmTask& task : tasks) labels.push_back(label_of(task));
  return labels;
}

TEST(GemmTask, AStepHasThreeProductsPerLayerButNoFirstDataGradient) {
  std::vector<bench::GemmTask> tasks;
  bench::add_model_tasks({"5-3-2", {5, 3, 2}, 0}, 4, tasks);
  EXPECT_EQ(labels_of(tasks),
            (std::vector<std::string>{"nt 4x3x5", "tn 3x5x4", "nt 4x2x3", "nn 4x3x2", "tn 2x3x4"}));
  double flops = 0;
  for (const bench::GemmTask& task : tasks) flops += task.flops();
  EXPECT_EQ(flops, (ModelShape{"5-3-2", {5, 3, 2}, 0}.step_flops(4)));
}

TEST(GemmTask, ProductsThatOccurTwiceAreMeasuredOnce) {
  std::vector<bench::GemmTask> tasks;
  bench::add_model_tasks({"8-8-8-8", {8, 8, 8, 8}, 0}, 4, tasks);
  EXPECT_EQ(labels_of(tasks), (std::vector<std::string>{"nt 4x8x8", "tn 8x8x4", "nn 4x8x8"}));
  bench::add_model_tasks({"8-8", {8, 8}, 0}, 4, tasks);
  EXPECT_EQ(tasks.size(), 3u);
  add_once<bench::GemmTask>({GemmLayout::nt, {4, 8, 8}, true}, tasks);  // a square is no product of a model
  EXPECT_EQ(tasks.size(), 4u);
}

TEST(GemmTask, ParsesShapes) {
  const auto parsed = bench::parse_task("nn:128x1024x4608");
  ASSERT_TRUE(std::holds_alternative<bench::GemmTask>(parsed));
  EXPECT_EQ(std::get<bench::GemmTask>(parsed), (bench::GemmTask{GemmLayout::nn, {128, 1024, 4608}}));
  for (const std::string text : {"", "nt", "128x8x8", "nt:128x8", "nt:128x8x8x8", "tt:8x8x8", "nt:0x8x8",
                                 "nt:8x8x-1", "nt:8x8xk", "nt:8x8x2000000", "nt:nt:8x8x8"}) {
    const auto refused = bench::parse_task(text);
    ASSERT_TRUE(std::holds_alternative<UsageError>(refused)) << text;
    EXPECT_NE(std::get<UsageError>(refused).sentence.find("'" + text + "'"), std::string::npos);
  }
}

TEST(GemmTask, OperandsAreStoredAsLayersStoreThem) {
  const auto stored = [](GemmLayout layout) {
    const bench::GemmTask task{layout, {2, 3, 5}};
    return std::array{bench::stored_a(task).rows, bench::stored_a(task).cols, bench::stored_b(task).rows,
                      bench::stored_b(task).cols};
  };
  EXPECT_EQ(stored(GemmLayout::nt), (std::array<std::int64_t, 4>{2, 5, 3, 5}));
  EXPECT_EQ(stored(GemmLayout::nn), (std::array<std::int64_t, 4>{2, 5, 5, 3}));
  EXPECT_EQ(stored(GemmLayout::tn), (std::array<std::int64_t, 4>{5, 2, 5, 3}));
}

}  // namespace
}  // namespace breakeven
