// SPDX-License-Identifier: Apache-2.0
// The measured results: one row per case, compared with one device, and the size from which each form pays.
// docs/numbers.md explains every number.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "src/bench/matmul/measure_matmul.h"
#include "src/core/records/run_record.h"
#include "src/statistics/payoff.h"

namespace breakeven::bench {

struct MatmulRow {
  MatmulCase what;
  std::size_t repeats = 0;
  double error = not_measured;  // the largest of all repeats and the reference
  double error_limit = 0;
  bool right = false;  // if false, no number below is set: a wrong product has no speed
  double median_seconds = not_measured;
  statistics::Interval seconds;            // of the mean
  double flops_per_second = not_measured;  // at the median
  PartSeconds parts{};                     // means: they sum to seconds.centre
  statistics::RatioEstimate speedup;       // over one device with the same kernel, paired by repeat
  statistics::Decision decision;
};

std::vector<MatmulRow> make_matmul_rows(std::span<const MatmulSeries> series);

// One form on more than one GPU, over all sizes.
struct MatmulBreakEven {
  const FormInfo* form = nullptr;
  int gpus = 1;
  Precision precision{};
  GemmKernel kernel{};
  std::optional<std::int64_t> size;  // the smallest from which it pays at every measured size
  std::int64_t smallest = 0;         // of the sizes that were measured
  std::int64_t largest = 0;
  statistics::Interval largest_speedup;  // at the largest size
  statistics::Decision largest_decision;
};
std::vector<MatmulBreakEven> find_break_evens(std::span<const MatmulRow> rows);

bool all_right(std::span<const MatmulRow> rows);

}  // namespace breakeven::bench
