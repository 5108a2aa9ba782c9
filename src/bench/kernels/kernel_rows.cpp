// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/kernel_rows.h"

#include <algorithm>
#include <cmath>

#include "src/bench/kernels/exact_sample.h"
#include "src/statistics/sample.h"

namespace breakeven::bench {
namespace {

Spread spread_of(std::span<const double> values) {
  if (values.empty() || !statistics::all_finite(values)) return {};
  return {statistics::median(values), std::ranges::min(values), statistics::highest(values)};
}

// Ratios by round. A candidate that was measured in fewer rounds has fewer ratios.
AgainstReference against(std::span<const double> candidate, std::span<const double> reference) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < std::min(candidate.size(), reference.size()); ++round) {
    ratios.push_back(reference[round] / candidate[round]);
  }
  return {spread_of(reference), statistics::median(ratios)};
}

bool all_right(const Measured& measured, std::int64_t k) {
  return is_right(statistics::highest(measured.errors), error_limit(measured.candidate.precision, k));
}

const Measured* find_reference(const Candidate& candidate, std::span<const Measured> all, std::int64_t k) {
  const auto found = std::ranges::find(all, reference_of(candidate), &Measured::candidate);
  return found != all.end() && all_right(*found, k) ? &*found : nullptr;
}

// Reads each operand and writes the result once.
analysis::PhaseWork work_of(const GemmTask& task, Precision precision) {
  const auto& [m, n, k] = task.shape;
  const std::int64_t dtype_bytes = bytes_of(info_of(precision).dtype);
  const std::int64_t result = task.layout == GemmLayout::tn ? bytes_of(Dtype::fp32) : dtype_bytes;
  return {.bytes = static_cast<double>(dtype_bytes * (m * k + k * n) + result * m * n),
          .flops = task.flops(),
          .operations = 1};
}

void add_speeds(const Measured& measured, const Measured* reference, const Roofline& roofline,
                KernelRow& row) {
  const Precision precision = measured.candidate.precision;
  row.warm = spread_of(measured.warm_seconds);
  row.cold = spread_of(measured.cold_seconds);
  if (reference != nullptr) {
    row.warm_reference = against(measured.warm_seconds, reference->warm_seconds);
    row.cold_reference = against(measured.cold_seconds, reference->cold_seconds);
  }
  row.flops_per_second = row.task.flops() / row.warm.median;
  row.flops_share = row.flops_per_second / roofline.flops(precision);
  row.limit = analysis::limit_of(work_of(row.task, precision), precision, roofline);
  row.limit_share = row.limit.seconds / row.cold.median;
}

double geometric_mean(std::span<const double> ratios) {
  std::vector<double> logarithms;
  for (const double ratio : ratios) logarithms.push_back(std::log(ratio));
  return std::exp(statistics::mean(logarithms));
}

bool belongs_to(const KernelRow& row, const KernelSummary& summary) {
  return !row.task.is_square && row.candidate.precision == summary.precision &&
         row.candidate.variant.kernel == summary.kernel && row.candidate.fused == summary.fused;
}

void fill_in(std::span<const KernelRow> rows, KernelSummary& summary) {
  std::vector<double> warm;
  std::vector<double> cold;
  for (const KernelRow& row : rows) {
    if (!belongs_to(row, summary)) continue;
    warm.push_back(row.warm_reference.speedup);
    cold.push_back(row.cold_reference.speedup);
    summary.products += 1;
    summary.faster += row.warm_reference.speedup > 1 ? 1 : 0;
    summary.wrong += row.right ? 0 : 1;
  }
  summary.speedup = geometric_mean(warm);
  summary.cold_speedup = geometric_mean(cold);
  if (statistics::all_finite(warm)) summary.least_speedup = std::ranges::min(warm);
}

}  // namespace

Candidate reference_of(const Candidate& candidate) {
  return {.precision = info_of(candidate.precision).libraries,
          .variant = {.kernel = candidate.fused ? GemmKernel::cublaslt : GemmKernel::cublas},
          .fused = candidate.fused};
}

std::vector<KernelRow> make_rows(const GemmTask& task, std::span<const Measured> measured,
                                 const Roofline& roofline) {
  std::vector<KernelRow> rows;
  for (const Measured& one : measured) {
    KernelRow row;
    row.task = task;
    row.candidate = one.candidate;
    row.rounds = one.warm_seconds.size();
    row.launches = one.launches;
    row.error = statistics::highest(one.errors);
    row.error_limit = error_limit(one.candidate.precision, task.shape.k);
    row.right = is_right(row.error, row.error_limit);
    if (row.right) add_speeds(one, find_reference(one.candidate, measured, task.shape.k), roofline, row);
    rows.push_back(row);
  }
  return rows;
}

std::vector<KernelSummary> summarize_kernels(std::span<const KernelRow> rows) {
  std::vector<KernelSummary> summaries;
  for (const KernelRow& row : rows) {
    const bool known = std::ranges::any_of(
        summaries, [&](const KernelSummary& summary) { return belongs_to(row, summary); });
    if (known || row.task.is_square) continue;
    summaries.push_back({row.candidate.precision, row.candidate.variant.kernel, row.candidate.fused});
    fill_in(rows, summaries.back());
  }
  std::ranges::stable_sort(summaries, {}, [](const KernelSummary& summary) {
    return std::pair(summary.fused, summary.precision);
  });
  return summaries;
}

}  // namespace breakeven::bench
