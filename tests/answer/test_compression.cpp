// SPDX-License-Identifier: Apache-2.0
// What is typed after compress=, and what the forms cost by formula.
#include "src/core/compression/compression.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

Compression parsed(const std::string& text) {
  const std::optional<Compression> result = parse_compression(text);
  EXPECT_TRUE(result.has_value()) << text;
  return result.value_or(Compression{});
}

TEST(Compression, EveryFormIsFoundByItsName) {
  for (const std::string name : {"none", "bf16", "fp16", "int8", "onebit"}) {
    EXPECT_EQ(parsed(name).form->name, name);
    EXPECT_EQ(parsed(name).is_plain(), name == "none");
  }
  EXPECT_EQ(parsed("topk:0.01").form->name, "topk");
  EXPECT_EQ(parsed("topk:0.01").argument, 0.01);
  EXPECT_EQ(parsed("powersgd:4").form->name, "powersgd");
  EXPECT_EQ(parsed("powersgd:4").argument, 4);
}

TEST(Compression, WhatIsNotLegalIsRefused) {
  for (const char* text : {"", "gzip", "int8:", "int8:4", "topk", "topk:", "topk:0", "topk:-0.1", "topk:0.51",
                           "topk:nan", "topk:0.1x", "topk: 0.1", "powersgd:0", "powersgd:1.5", "powersgd:65",
                           "powersgd:inf", "Topk:0.1", "none "}) {
    EXPECT_FALSE(parse_compression(text).has_value()) << text;
  }
  for (const CompressionInfo& form : compressions()) {
    EXPECT_NE(legal_compressions().find(form.name), std::string::npos) << form.name;
    EXPECT_NE(legal_compressions().find(form.argument), std::string::npos) << form.name;
  }
}

// 100 inputs, 60 units, 20 outputs: rows of 104 and 64 floats, biases of 60 and 20 in 64 and 24.
TEST(Compression, CostsFollowTheFormulas) {
  const ParameterLayout layout({"", {100, 60, 20}, 0});
  const GradientRange range = range_of_layers(layout, 0, 2);
  const std::uint64_t floats = 60 * 104 + 64 + 20 * 64 + 24;
  ASSERT_EQ(range.floats, floats);
  const std::uint64_t kept = 4 * floats + 4;
  const auto expect = [&](const std::string& text, std::uint64_t messages, std::uint64_t bytes,
                          std::uint64_t memory) {
    const SumCost cost = parsed(text).cost(range, 3);
    EXPECT_EQ(cost.messages.size(), messages) << text;
    EXPECT_EQ(traffic_of(cost.messages), (Traffic{messages, bytes})) << text;
    EXPECT_EQ(cost.memory_bytes, memory) << text;
  };
  expect("none", 1, 4 * floats, 0);
  expect("bf16", 1, 2 * floats, kept + 2 * floats);
  expect("fp16", 1, 2 * floats, kept + 2 * floats);
  const std::uint64_t int8 = 3 * (4 * ((floats + 255) / 256) + floats);
  expect("int8", 1, int8, kept + int8);
  const std::uint64_t topk = 3 * 8 * 76;  // 1 % of 7608
  expect("topk:0.01", 1, topk, kept + topk);
  const std::uint64_t onebit = 3 * 4 * (2 * (60 + 20) + (60 + 20) + 60 * 4 + 20 * 2);
  expect("onebit", 1, onebit, kept + onebit);
  const std::uint64_t p = 4 * (4 * (64 + 24) + 60 + 20);
  const std::uint64_t q = 4 * 4 * (104 + 64);
  expect("powersgd:4", 2, p + q, kept + p + 2 * q + 4 * floats);
  // Of the second weight, thin matrices of rank 16 would be larger than itself: it goes as it is.
  const std::uint64_t p16 = 4 * (16 * 64 + 20 * 64 + 60 + 20);
  const std::uint64_t q16 = 4 * 16 * 104;
  expect("powersgd:16", 2, p16 + q16, kept + p16 + 2 * q16 + 4 * floats);
  const std::uint64_t plain = 4 * (60 * 104 + 20 * 64 + 60 + 20);
  expect("powersgd:64", 1, plain, kept + plain);
}

TEST(Compression, ABucketBeginsAtItsFirstWeight) {
  const ParameterLayout layout({"", {100, 60, 20, 10}, 0});
  const GradientRange range = range_of_layers(layout, 1, 2);
  EXPECT_EQ(range.floats, layout.floats() - layout.weight_offset(1));
  ASSERT_EQ(range.weights.size(), 2u);
  EXPECT_EQ(range.weights[0].first, 0u);
  EXPECT_EQ(range.weights[1].first, layout.weight_offset(2) - layout.weight_offset(1));
  EXPECT_EQ(range.biases[1].first, layout.bias_offset(2) - layout.weight_offset(1));
  EXPECT_EQ(range.biases[1].floats, 10u);
}

}  // namespace
}  // namespace breakeven
