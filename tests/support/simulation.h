// SPDX-License-Identifier: Apache-2.0
// Made-up series with a known truth, for tests of how often an interval holds it. Every draw is a function of
// (replication, series, place): the same everywhere, in any order.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "src/core/philox.h"
#include "src/statistics/interval.h"

namespace breakeven {

inline constexpr std::uint64_t simulation_seed = 20250617;

// Standard normal, by Box and Muller.
inline double normal(std::uint32_t replication, std::uint32_t series, std::uint32_t place) {
  const Philox4 words = philox4x32(simulation_seed, replication, place, series, 0);
  const double u = (words.word[0] + 0.5) / 4294967296.0;
  const double v = (words.word[1] + 0.5) / 4294967296.0;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// Uniform in (0, 1); not the numbers that normal() uses.
inline double uniform(std::uint32_t replication, std::uint32_t series, std::uint32_t place) {
  return (philox4x32(simulation_seed, replication, place, series, 1).word[0] + 0.5) / 4294967296.0;
}

// Steps x_s = rho x_(s-1) + noise about 0, with deviation 1 from the first step on.
inline std::vector<double> autoregressive(std::size_t steps, double rho, std::uint32_t replication,
                                          std::uint32_t series) {
  std::vector<double> values(steps);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const double noise = normal(replication, series, step);
    values[step] = step == 0 ? noise : rho * values[step - 1] + std::sqrt(1 - rho * rho) * noise;
  }
  return values;
}

// Seconds of steps about 1 with the deviation `spread`.
inline std::vector<double> made_up_steps(std::size_t steps, double rho, double spread,
                                         std::uint32_t replication, std::uint32_t series) {
  std::vector<double> values = autoregressive(steps, rho, replication, series);
  for (double& value : values) value = std::exp(spread * value);
  return values;
}

// How often `holds(replication)` is true.
template <typename Holds>
double share_of(std::uint32_t replications, Holds holds) {
  std::uint32_t held = 0;
  for (std::uint32_t i = 0; i < replications; ++i) held += holds(i) ? 1 : 0;
  return static_cast<double>(held) / replications;
}

inline bool holds(const statistics::Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

inline testing::AssertionResult as_promised(double share) {
  if (share >= 0.93 && share <= 0.97) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "covers in " << 100 * share << " % of the simulations";
}

}  // namespace breakeven
