// SPDX-License-Identifier: Apache-2.0
// Numbers of a file that no whole number can be.
#include "src/core/as_whole.h"

#include <gtest/gtest.h>

#include "src/core/records/run_record.h"

namespace breakeven {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(AsWhole, LeavesFractionsOut) {
  EXPECT_EQ(as_whole<std::uint32_t>(0.99), 0u);
  EXPECT_EQ(as_whole<std::uint32_t>(4294967295.0), 4294967295u);
  EXPECT_EQ(as_whole<std::uint64_t>(9007199254740993.0), 9007199254740992u);
}

TEST(AsWhole, EndsAtTheRangeOfTheType) {
  EXPECT_EQ(as_whole<std::uint32_t>(4294967296.0), 4294967295u);
  for (const double large : {18446744073709551616.0, 1e300, HUGE_VAL})
    EXPECT_EQ(as_whole<std::uint64_t>(large), most);
  for (const double none : {-1.0, -HUGE_VAL, not_measured}) EXPECT_EQ(as_whole<std::uint64_t>(none), 0u);
}

TEST(AsWhole, NoFileHasMoreStepsThanRoomForThem) {
  RunRecord record(3);
  for (const auto& [recorded, made] : {std::pair{-1.0, 0u}, {2.0, 2u}, {1e300, 3u}, {not_measured, 3u}}) {
    record.steps_made = recorded;
    EXPECT_EQ(made_steps(record), made) << recorded;
  }
  record.steps_apart = 1e300;
  EXPECT_EQ(steps_apart(record), 4294967295u);
}

}  // namespace
}  // namespace breakeven
