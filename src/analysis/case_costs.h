// SPDX-License-Identifier: Apache-2.0
// The costs of a case beside time: GPU time and energy of a sample, and memory.
#pragma once

#include <cstddef>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// All intervals are of 95 %; NaN: not measured.
struct SampleCosts {
  statistics::Interval gpu_seconds;  // GPUs x seconds
  EnergyOfSample energy;
  std::size_t runs = 0;  // done
};
SampleCosts costs_of(const CaseSummary& summary);

// Gains are those of one GPU over more: above 1 the more take less of it.
struct CostGains {
  statistics::Interval gpu_hours;
  statistics::Decision by_gpu_hours;
  statistics::Interval energy;
};
CostGains gains_of(const Comparison& comparison);

// Bytes of one rank. The measured bytes are the predicted ones and what the prediction cannot know: memory of
// the exchange and scratch memory of the streams. The part that grows with the batch grows with the rows of a
// rank; the others are taken to stay as measured.
struct MemoryFit {
  double bytes = not_measured;          // the larger of predicted and measured; NaN where either is
  double bytes_a_row = not_measured;    // of a rank's rows of the batch
  double largest_batch = not_measured;  // over all GPUs; 0 where not even one row a rank fits
  bool fits = false;
};

// A limit of NaN means no limit: `largest_batch` is NaN and `fits` false.
MemoryFit fit_memory(const CaseSummary& summary, double limit_bytes);

}  // namespace breakeven::analysis
