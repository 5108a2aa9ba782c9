// SPDX-License-Identifier: Apache-2.0
// Intervals from one run alone: steps that follow each other are alike, so they are put into batches, long
// enough that the batches are not.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "src/statistics/interval.h"

namespace breakeven {

inline constexpr std::size_t most_batches = 20;
inline constexpr std::size_t fewest_batches = 10;

// In how many batches a series is cut: 20 where each then holds at least ten times the autocorrelation time
// (steps / effective steps), else 10 where each holds three times that; else 0, since batches that are alike
// promise more than they hold. (Batch means: Law, "Simulation Modeling and Analysis", section 9.5.3; 10 to 20
// batches: Schmeiser, Operations Research 30, 1982.)
std::size_t batch_count(std::span<const double> series);

// `count` pieces of equal length, in order; what is left over stands in the first ones, a value each.
std::vector<std::span<const double>> batches_of(std::span<const double> series, std::size_t count);

// Of the mean of the series, by Student's t over the means of its batches. No bounds where batch_count is 0.
Interval batch_means_interval(std::span<const double> series);

}  // namespace breakeven
