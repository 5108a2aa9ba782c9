// SPDX-License-Identifier: Apache-2.0
// A speed-up from what was measured side by side.
#pragma once

#include <cstdint>
#include <span>

#include "src/statistics/interval.h"

namespace breakeven {

// How many times as fast the case was as its base in one block, a (launch, repeat): runs measured close
// together, so that what disturbed both cancels.
struct PairedBlock {
  std::uint32_t launch = 0;
  std::uint32_t repeat = 0;
  double ratio = 0;
};

// The geometric mean over blocks, and over launches where there are several: each launch then counts once, by
// the geometric mean of its blocks (sampling_unit.h). Intervals as estimate_ratio() has them.
RatioEstimate estimate_paired(std::span<const PairedBlock> blocks);

// One block alone: how long a step of the base takes over one of the case, from the steps of one run of each,
// times `factor`. The interval is Welch's of the logarithms of batch means (batch_means.h) and covers these
// two runs and no other; it is marked by `ratio.n` = 1.
RatioEstimate estimate_from_two_runs(std::span<const double> case_seconds,
                                     std::span<const double> base_seconds, double factor);

}  // namespace breakeven
