// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/memory_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/statistics/sample.h"

namespace breakeven::analysis {

MemoryFit fit_memory(const CaseSummary& summary, double limit_bytes) {
  const Readings& readings = summary.readings;
  MemoryFit fit;
  fit.bytes = highest(std::array{readings.predicted_memory_bytes, readings.peak_memory_bytes});
  fit.bytes_a_row = readings.rows_memory_bytes * summary.what.gpus / summary.what.batch;
  fit.fits = fit.bytes <= limit_bytes;
  const double fixed = fit.bytes - readings.rows_memory_bytes;
  const double rows = std::floor((limit_bytes - fixed) / fit.bytes_a_row);
  if (std::isfinite(rows)) fit.largest_batch = std::max(rows, 0.0) * summary.what.gpus;
  return fit;
}

}  // namespace breakeven::analysis
