// SPDX-License-Identifier: Apache-2.0
// Which kernels are measured in one round.
#include "src/bench/kernels/measure_task.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

constexpr bench::BenchSizes sizes{.warm_seconds = 2e-4,
                                  .most_launches = 64,
                                  .slow_launch_seconds = 0.04,
                                  .long_launch_seconds = 1e-3,
                                  .cold_bytes = 0,
                                  .operand_bytes = 0};

TEST(SlowKernel, HasVeryLongLaunches) {
  EXPECT_TRUE(bench::is_slow(0.05, 0.05, sizes));
  EXPECT_FALSE(bench::is_slow(0.04, 0.04, sizes));
}

TEST(SlowKernel, HasLongLaunchesAndIsMuchSlowerThanTheFastest) {
  EXPECT_TRUE(bench::is_slow(2e-3, 1e-4, sizes));
  EXPECT_FALSE(bench::is_slow(2e-3, 2e-4, sizes));  // ten times as long, but not more
  EXPECT_FALSE(bench::is_slow(1e-3, 1e-6, sizes));  // much slower, but short enough for all rounds
  EXPECT_FALSE(bench::is_slow(0.03, 0.02, sizes));  // the fastest is almost as slow
}

}  // namespace
}  // namespace breakeven
