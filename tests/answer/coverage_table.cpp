// SPDX-License-Identifier: Apache-2.0
// Prints how often 95 % intervals of simulated campaigns hold the truth, as a table for docs/statistics.md.
#include <utility>

#include <fmt/format.h>

#include "tests/support/campaign_simulation.h"

int main() {
  using breakeven::LaunchEffect;
  constexpr std::uint32_t replications = 2000;
  fmt::print("| launch effect of {:.0f} % | launches | step time, % | speed-up, % | break-even, % ",
             100 * breakeven::launch_deviation);
  fmt::print("| both sides right, % |\n");
  fmt::print("|---|---:|---:|---:|---:|---:|\n");
  for (const auto& [effect, words] : {std::pair(LaunchEffect::of_case, "each case's own"),
                                      std::pair(LaunchEffect::of_configuration, "each configuration's own"),
                                      std::pair(LaunchEffect::common, "common to all cases")}) {
    for (const std::uint32_t launches : {1u, 3u, 5u, 10u}) {
      const breakeven::Coverage of = breakeven::coverage_of({launches, effect}, replications);
      fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", words, launches, 100 * of.step_time,
                 100 * of.speedup, 100 * of.break_even, 100 * of.sides);
    }
  }
}
