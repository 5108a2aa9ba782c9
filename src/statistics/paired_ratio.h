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
std::string scope_of(const RatioEstimate& estimate);  // of its interval: "between 5 launches"

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

// Of all blocks.
SamplingUnit unit_of(std::span<const PairedBlock> blocks);

// One block alone: how long a step of the base takes over one of the case, from the steps of one run of each,
// times `factor`. The interval is Welch's of the logarithms of batch means (autocorrelation.h) and covers
// these two runs and no other; `ratio.n` = 1 marks it.
RatioEstimate estimate_from_two_runs(std::span<const double> case_seconds,
                                     std::span<const double> base_seconds, double factor);

struct Winner {
  std::size_t rival = 0;  // its place among the rivals
  RatioEstimate speedup;  // its own; the interval is simultaneous
  RatioEstimate lead;     // its ratios over those of the next fastest in the same blocks; simultaneous too
};

// The best of many, by the highest mean logarithm of its ratios. What came out fastest was also lucky, so its
// interval must hold for whichever rival comes out fastest: Student's t at 1 - 5 % / rivals (Bonferroni's
// inequality; Miller, "Simultaneous Statistical Inference", 1981, section 1.3). The centre stays as measured.
// With three launches there is no half of them that could choose, and another that could report. Rivals
// without a number take no part. Nothing where fewer than two take part.
std::optional<Winner> choose_best(std::span<const std::vector<PairedBlock>> rivals);

}  // namespace breakeven::statistics
