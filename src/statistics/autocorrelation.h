// SPDX-License-Identifier: Apache-2.0
// How much a series of steps repeats itself: how many independent ones would say as much.
#pragma once

#include <span>

namespace breakeven {

// Lag k covers n - k products, divided by n (Priestley, "Spectral Analysis and Time Series", 1981, section
// 5.3). k < n.
double autocovariance(std::span<const double> values, std::size_t lag);

// How many independent values estimate the mean as well: n / tau, with tau = 1 + 2 sum of autocorrelations,
// summed in pairs of neighbouring lags as long as a pair's sum is positive (the initial positive sequence:
// Geyer, "Practical Markov Chain Monte Carlo", Statistical Science 7, 1992, section 3.3). At most n: a series
// that swings to and fro is given no credit for it. n where all values are equal, NaN for fewer than four.
double effective_sample_size(std::span<const double> values);

}  // namespace breakeven
