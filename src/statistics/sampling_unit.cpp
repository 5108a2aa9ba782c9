// SPDX-License-Identifier: Apache-2.0
// The unit of analysis.
#include "src/statistics/sampling_unit.h"

#include <algorithm>
#include <array>

namespace breakeven {

SamplingUnit unit_of(std::span<const std::uint32_t> launches) {
  if (launches.empty()) return SamplingUnit::none;
  if (launches.size() == 1) return SamplingUnit::batch;
  const bool is_one_launch =
      std::ranges::all_of(launches, [&](std::uint32_t launch) { return launch == launches.front(); });
  return is_one_launch ? SamplingUnit::run : SamplingUnit::launch;
}

std::string_view word_of(SamplingUnit unit) {
  constexpr std::array<std::string_view, 4> words{"none", "launch", "run", "batch"};
  return words[static_cast<std::size_t>(unit)];
}

}  // namespace breakeven
