// SPDX-License-Identifier: Apache-2.0
// When settling ends, by made-up windows: soon where nothing changes, and not before a power limit has acted.
#include "src/measure/steady_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/support/simulation.h"

namespace breakeven {
namespace {

using measure::Window;

constexpr double tolerance = 0.005;
constexpr double length = 0.24;
constexpr double most_seconds = 5;

// The window at `seconds` since settling began.
using Made = std::function<Window(std::uint32_t place, double seconds)>;

// When settling ends; not measured: not within `most_seconds`.
double settled_after(const Made& made) {
  std::vector<Window> windows;
  for (double seconds = 0; seconds < most_seconds;) {
    windows.push_back(made(static_cast<std::uint32_t>(windows.size()), seconds));
    seconds += windows.back().seconds;
    if (measure::are_steady(windows, tolerance)) return seconds;
  }
  return not_measured;
}

Window window(double step_seconds, double power_share, double clock_hz = 1.98e9) {
  return {.seconds = length, .step_seconds = step_seconds, .clock_hz = clock_hz, .power_share = power_share};
}

TEST(SteadyWindows, TwoAreEnoughFarFromThePowerLimitOrWithoutReadings) {
  for (const double share : {0.2, 0.45, not_measured})
    for (const double clock : {1.98e9, not_measured})
      EXPECT_DOUBLE_EQ(settled_after([=](auto, auto) { return window(1, share, clock); }), 2 * length);
}

TEST(SteadyWindows, NearTheLimitTheyLastAtLeastOneAndAHalfSeconds) {
  const auto near_limit = [](auto, auto) { return window(1, 0.5); };
  const auto slowed = [](auto, auto) {
    Window slow = window(1, not_measured);
    slow.is_slowed = true;
    return slow;
  };
  for (const Made& made : {Made(near_limit), Made(slowed)}) EXPECT_NEAR(settled_after(made), 1.68, 1e-9);
}

TEST(SteadyWindows, TakeTheInstantsPowerWhereItIsTold) {
  GpuReading reading = GpuMonitor("").read();
  EXPECT_TRUE(std::isnan(measure::window_of(1, 1, reading).power_share));
  reading.power_limit_watts = 700;
  reading.power_watts = 140;
  EXPECT_DOUBLE_EQ(measure::window_of(1, 1, reading).power_share, 0.2);
  reading.instant_power_watts = 630;
  EXPECT_DOUBLE_EQ(measure::window_of(1, 1, reading).power_share, 0.9);
  EXPECT_FALSE(measure::window_of(1, 1, reading).is_slowed);
  reading.throttle_reasons = 4;
  EXPECT_TRUE(measure::window_of(1, 1, reading).is_slowed);
}

TEST(SteadyWindows, TooShortOnesDecideNothing) {
  const auto brief = [](auto, auto) {
    Window one = window(1, 0.2);
    one.seconds = 0.19;
    return one;
  };
  EXPECT_TRUE(std::isnan(settled_after(brief)));
}

TEST(SteadyWindows, WhatIsNotANumberIsNotSteady) {
  EXPECT_TRUE(std::isnan(settled_after([](auto, auto) { return window(not_measured, 0.2); })));
  EXPECT_TRUE(std::isnan(settled_after([](auto, auto) { return window(not_measured, 0.9); })));
}

TEST(SteadyWindows, AStepIsWaitedFor) {
  for (const double at : {0.5, 0.8, 1.2, 1.5}) {
    const double end = settled_after([=](auto, double seconds) {
      const double slow = std::clamp((seconds + length - at) / length, 0.0, 1.0);
      return window(1 + 0.08 * slow, 0.9);
    });
    EXPECT_GT(end, at + length) << at;
    EXPECT_LT(end, 3) << at;
  }
}

TEST(SteadyWindows, APeakIsNotSteadyThoughItsHalvesAgree) {
  const std::vector<double> steps{1, 1, 1, 1.0, 1.15, 1.15, 1.0, 1, 1, 1, 1};
  const double end = settled_after([&](std::uint32_t place, auto) {
    return window(steps[std::min<std::size_t>(place, steps.size() - 1)], 0.9);
  });
  EXPECT_NEAR(end, 10 * length, 1e-9);  // the last four are flat
}

TEST(SteadyWindows, ASlowRampIsSteadyOnlyOnceItIsOver) {
  const auto ramp = [](double a_second, double until) {
    return settled_after(
        [=](auto, double seconds) { return window(1 + a_second * std::min(seconds, until), 0.9); });
  };
  EXPECT_TRUE(std::isnan(ramp(0.02, 10)));
  EXPECT_GT(ramp(0.02, 2), 2);
  EXPECT_NEAR(ramp(0.005, 10), 1.68, 1e-9);  // 0.25 % in half a second
}

TEST(SteadyWindows, ClocksMayDifferByTheirStepOf15MHz) {
  const auto clocks = [](double difference_hz) {
    return settled_after([=](std::uint32_t place, auto) {
      return window(1, 0.9, 1.665e9 - (place % 4 < 2 ? 0 : difference_hz));
    });
  };
  EXPECT_NEAR(clocks(15e6), 1.68, 1e-9);
  const double end =
      settled_after([](auto, double seconds) { return window(1, 0.9, 1.98e9 - 60e6 * seconds); });
  EXPECT_TRUE(std::isnan(end));
}

// How often windows that are steady but for noise are found so in time.
double share_found(double noise, double power_share) {
  return share_of(2000, [=](std::uint32_t run) {
    return std::isfinite(settled_after([=](std::uint32_t place, auto) {
      return window(std::exp(noise * normal(run, 1, place)), power_share);
    }));
  });
}

TEST(SteadyWindows, NoiseDelaysButRarelyPrevents) {
  for (const double power_share : {0.2, 0.9}) {
    EXPECT_GE(share_found(0.005, power_share), 0.999) << power_share;
    EXPECT_GE(share_found(0.01, power_share), 0.95) << power_share;
  }
}

}  // namespace
}  // namespace breakeven
