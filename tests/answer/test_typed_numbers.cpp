// SPDX-License-Identifier: Apache-2.0
// Durations, bandwidths and lists with ranges as they are typed.
#include <gtest/gtest.h>

#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

TEST(Duration, HasAUnit) {
  EXPECT_DOUBLE_EQ(*parse_duration("2.5us"), 2.5e-6);
  EXPECT_DOUBLE_EQ(*parse_duration("150ns"), 150e-9);
  EXPECT_DOUBLE_EQ(*parse_duration("20s"), 20);
  EXPECT_DOUBLE_EQ(*parse_duration("2h"), 7200);
  EXPECT_DOUBLE_EQ(*parse_duration("1.5d"), 129600);
  EXPECT_DOUBLE_EQ(*parse_duration("3.5ms"), 3.5e-3);
  for (const char* text : {"", "2", "us", "-2us", "0s", "2 us", "2us more", "nans", "infs"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Bandwidth, IsASizeASecond) {
  EXPECT_DOUBLE_EQ(*parse_bandwidth("50GB/s"), 5e10);
  EXPECT_DOUBLE_EQ(*parse_bandwidth("1GiB/s"), 1073741824.0);
  for (const char* text : {"", "50GB", "50/s", "GB/s", "-1GB/s", "50GB/h"})
    EXPECT_FALSE(parse_bandwidth(text)) << text;
}

TEST(Doublings, ListsAndRanges) {
  EXPECT_EQ(*parse_doublings("8..64", 64), (std::vector<int>{8, 16, 32, 64}));
  EXPECT_EQ(*parse_doublings("6..50", 64), (std::vector<int>{6, 8, 12, 16, 24, 32, 48}));
  EXPECT_EQ(*parse_doublings("3..7", 64), (std::vector<int>{3, 4, 6}));
  EXPECT_EQ(*parse_doublings("4, 1..4,3", 64), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(*parse_doublings("7", 64), std::vector<int>{7});
  for (const char* text : {"", "0", "65", "8..4", "8..", "..8", "a", "8...16", "-1"})
    EXPECT_FALSE(parse_doublings(text, 64)) << text;
}

}  // namespace
}  // namespace breakeven
