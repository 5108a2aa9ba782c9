// SPDX-License-Identifier: Apache-2.0
// Suggestions for typing errors.
#include <gtest/gtest.h>

#include "src/core/text/similar.h"

namespace breakeven {
namespace {

const std::vector<std::string> commands{"run", "report", "repair", "advise", "compare"};

TEST(Similar, OneErrorOfEachKindIsForgiven) {
  for (const std::string word : {"report", "reprot", "repot", "reeport", "rexort"})
    EXPECT_EQ(most_similar(word, commands), "report") << word;
}

TEST(Similar, ShortWordsForgiveOneErrorAndLongOnesMore) {
  EXPECT_EQ(most_similar("rum", commands), "run");
  EXPECT_EQ(most_similar("rxm", commands), "");
  EXPECT_EQ(most_similar("copmaer", commands), "compare");
}

TEST(Similar, TheNearestWinsAndThenTheFirst) {
  EXPECT_EQ(most_similar("repairt", commands), "repair");
  const std::vector<std::string> precisions{"fp32", "bf16", "fp16"};
  EXPECT_EQ(most_similar("f16", precisions), "bf16");
}

TEST(Similar, NothingIsSimilarToNothing) {
  EXPECT_EQ(most_similar("", commands), "");
  EXPECT_EQ(most_similar("weather", commands), "");
  EXPECT_EQ(most_similar(std::string(100000, 'r'), commands), "");
  EXPECT_EQ(most_similar("report", {}), "");
  EXPECT_EQ(most_similar("x", std::vector<std::string>{"a"}), "") << "all letters are wrong";
}

TEST(Similar, TheSentenceStandsBehindARefusal) {
  EXPECT_EQ("'reprot' is not a command" + did_you_mean("reprot", commands),
            "'reprot' is not a command. Did you mean 'report'?");
  EXPECT_EQ(did_you_mean("weather", commands), "");
}

}  // namespace
}  // namespace breakeven
