// SPDX-License-Identifier: Apache-2.0
// What a sample takes of GPU time and energy, and what one GPU takes of it over more.
#pragma once

#include <cstddef>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// All intervals are of 95 %; what was not measured is NaN.
struct SampleCosts {
  Interval gpu_seconds;  // GPUs x seconds
  EnergyOfSample energy;
  std::size_t runs = 0;  // that were made
};
SampleCosts costs_of(const CaseSummary& summary);

// Gains are those of one GPU over more: above 1 the more take less of it.
struct CostGains {
  Interval gpu_hours;
  Decision by_gpu_hours;
  Interval energy;
};
CostGains gains_of(const Comparison& comparison);

}  // namespace breakeven::analysis
