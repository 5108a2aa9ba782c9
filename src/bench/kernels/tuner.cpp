// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/tuner.h"

#include <algorithm>
#include <cmath>

#include "src/bench/kernels/exact_sample.h"
#include "src/statistics/sample.h"

namespace breakeven::bench {
namespace {

constexpr std::size_t finalists = 4;  // of each precision

// Without memory: the device selects its variants by shape and dtype.
Product described(const GemmTask& task, Precision precision) {
  const Dtype dtype = info_of(precision).dtype;
  const auto matrix = [](const StoredShape& shape, Dtype stored) {
    return Matrix{nullptr, shape.rows, shape.cols, padded_width(shape.cols), stored};
  };
  return {.layout = task.layout,
          .precision = precision,
          .variant = {},
          .a = matrix(stored_a(task), dtype),
          .b = matrix(stored_b(task), dtype),
          .c = matrix({task.shape.m, task.shape.n}, task.layout == GemmLayout::tn ? Dtype::fp32 : dtype)};
}

std::vector<Candidate> variants_of(Device& device, const GemmTask& task,
                                   std::span<const Precision> precisions) {
  std::vector<Candidate> candidates;
  for (const Precision precision : precisions) {
    for (const GemmVariant& variant : device.gemm_variants(described(task, precision))) {
      const bool names_itself = variant.kernel == GemmKernel::tuned;
      if (!names_itself && !is_vendors(variant.kernel)) candidates.push_back({precision, variant});
    }
  }
  return candidates;
}

// The square of a time; NaN if not measured.
double cost_of(const Measured& measured) {
  return statistics::median(measured.warm_seconds) * statistics::median(measured.cold_seconds);
}

std::vector<Measured> in_precision(std::span<const Measured> all, Precision precision) {
  std::vector<Measured> some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [&](const Measured& measured) { return measured.candidate.precision == precision; });
  return some;
}

}  // namespace

std::vector<Measured> best_of(std::span<const Measured> measured, std::int64_t k, std::size_t most) {
  std::vector<Measured> best;
  std::ranges::copy_if(measured, std::back_inserter(best), [&](const Measured& one) {
    return is_right(statistics::highest(one.errors), error_limit(one.candidate.precision, k)) &&
           std::isfinite(cost_of(one));
  });
  std::ranges::stable_sort(best, {}, cost_of);
  if (best.size() > most) best.resize(most);
  return best;
}

std::vector<GemmTableRow> tune(Device& device, TaskBench& bench, const GemmTask& task,
                               std::span<const Precision> precisions, std::uint32_t rounds) {
  const std::vector<Measured> screened = bench.measure(task, variants_of(device, task, precisions), 1);
  std::vector<Candidate> chosen;
  for (const Precision precision : precisions) {
    for (const Measured& one : best_of(in_precision(screened, precision), task.shape.k, finalists))
      chosen.push_back(one.candidate);
  }
  const std::vector<Measured> measured = bench.measure(task, chosen, rounds);
  std::vector<GemmTableRow> rows;
  for (const Precision precision : precisions) {
    for (const Measured& one : best_of(in_precision(measured, precision), task.shape.k, 1)) {
      rows.push_back(
          {precision, task.layout, task.shape, one.candidate.variant, statistics::median(one.warm_seconds)});
    }
  }
  return rows;
}

}  // namespace breakeven::bench
