// SPDX-License-Identifier: Apache-2.0
// A speed-up from runs that were measured side by side, and the fastest of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "src/statistics/interval.h"

namespace breakeven::statistics {

// A ratio estimated from units: in each, numerator and denominator were measured close together, so that what
// disturbed both cancels. The mean and its interval are taken of the logarithms, since a ratio and its
// inverse must give the same answer; the centre is the geometric mean of the ratios. The interval is
// Student's t below ten units and the bootstrap from there on.
struct RatioEstimate {
  Interval ratio;
  double log_deviation = std::numeric_limits<double>::quiet_NaN();  // of the logarithms, n - 1
  SamplingUnit unit = SamplingUnit::run;
};
RatioEstimate estimate_ratio(std::span<const double> ratios);

// How many times as fast the case was as its base in one block, a (launch, repeat): runs measured close
// together.
struct PairedBlock {
  std::uint32_t launch = 0;
  std::uint32_t repeat = 0;
  double ratio = 0;
};

// The geometric mean over blocks, and over launches where there are several: each launch then counts once, by
// the geometric mean of its blocks (SamplingUnit).
RatioEstimate estimate_paired(std::span<const PairedBlock> blocks);

// One block alone: how long a step of the base takes over one of the case, from the steps of one run of each,
// times `factor`. The interval is Welch's of the logarithms of batch means (autocorrelation.h) and covers
// these two runs and no other; `ratio.n` = 1 marks it.
RatioEstimate estimate_from_two_runs(std::span<const double> case_seconds,
                                     std::span<const double> base_seconds, double factor);

struct Winner {
  std::size_t rival = 0;   // its place among the rivals
  RatioEstimate speedup;   // by the half that it was not chosen on
  bool is_agreed = false;  // the other half would have chosen it too
};

// The best of many, without bias: the one that came out fastest was also lucky, so its speed in the same
// runs is too high (the winner's curse; cross-validation as the remedy: Hastie, Tibshirani and Friedman, "The
// Elements of Statistical Learning", 2009, section 7.10.2). Chosen by the highest mean logarithm of its
// ratios in one half of the blocks, reported by the other: every second launch where there are several, else
// every second repeat; the first, third, ... report, so that the larger half does. Rivals without a number in
// either half take no part. Nothing where fewer than two take part.
std::optional<Winner> choose_by_halves(std::span<const std::vector<PairedBlock>> rivals);

}  // namespace breakeven::statistics
