// SPDX-License-Identifier: Apache-2.0
// Steps that follow each other are alike: how many independent steps would say as much, and batches of steps
// that are long enough not to be alike.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven::statistics {

// How many independent values estimate the mean as well: n / tau, with tau = 1 + 2 sum of autocorrelations,
// summed in pairs of neighbouring lags as long as a pair's sum is positive (the initial positive sequence:
// Geyer, "Practical Markov Chain Monte Carlo", Statistical Science 7, 1992, section 3.3). Lag k covers n - k
// products, divided by n (Priestley, "Spectral Analysis and Time Series", 1981, section 5.3). At most n: a
// series that alternates gets no credit for it. n where all values are equal but for the mean's rounding, NaN
// for fewer than four.
double effective_sample_size(std::span<const double> values);

// Into how many batches a series is cut: 20 if each then holds at least ten times the autocorrelation time
// (steps / effective steps), else 10 if each holds three times that; else 0, since batches that are alike
// give an interval that is too narrow. (Batch means: Law, "Simulation Modeling and Analysis", section 9.5.3;
// 10 to 20 batches: Schmeiser, Operations Research 30, 1982.)
std::size_t batch_count(std::span<const double> series);

// `count` pieces in order. Lengths differ by one at most, the longer ones first.
std::vector<std::span<const double>> batches_of(std::span<const double> series, std::size_t count);

}  // namespace breakeven::statistics
