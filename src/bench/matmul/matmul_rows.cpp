// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/matmul_rows.h"

#include <algorithm>

#include "src/bench/kernels/exact_sample.h"
#include "src/statistics/sample.h"

namespace breakeven::bench {
namespace {

std::vector<double> seconds_of(const MatmulSeries& series) {
  std::vector<double> seconds;
  for (const MatmulSample& sample : series.samples) seconds.push_back(sample.times.seconds);
  return seconds;
}

double error_of(const MatmulSeries& series) {
  std::vector<double> errors{series.reference_error};
  for (const MatmulSample& sample : series.samples) errors.push_back(sample.error);
  return statistics::highest(errors);
}

bool all_samples_right(const MatmulSeries& series) {
  return !series.samples.empty() && is_right(error_of(series), series.error_limit);
}

// One device with the same kernel; null if its product was wrong.
const MatmulSeries* find_base(const MatmulCase& what, std::span<const MatmulSeries> all) {
  const MatmulCase alone{&single_form(), 1, what.size, what.precision, what.kernel};
  const auto found = std::ranges::find(all, alone, &MatmulSeries::what);
  return found != all.end() && all_samples_right(*found) ? &*found : nullptr;
}

void add_speed(const MatmulSeries& series, const MatmulSeries* base, MatmulRow& row) {
  const std::vector<double> seconds = seconds_of(series);
  row.median_seconds = statistics::median(seconds);
  row.seconds = statistics::mean_interval(seconds);
  const auto size = static_cast<double>(row.what.size);
  row.flops_per_second = 2 * size * size * size / row.median_seconds;
  for (const MatmulSample& sample : series.samples) {
    for (std::size_t part = 0; part < row.parts.size(); ++part)
      row.parts[part] += sample.times.parts[part] / static_cast<double>(series.samples.size());
  }
  if (base == nullptr || row.what.form == &single_form()) return;
  const std::vector<double> alone = seconds_of(*base);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(alone.size(), seconds.size()); ++i)
    ratios.push_back(alone[i] / seconds[i]);
  row.speedup = statistics::estimate_ratio(ratios);
}

// Verdicts corrected for multiple comparisons over all rows that are compared.
void decide_rows(std::vector<MatmulRow>& rows) {
  std::vector<statistics::RatioEstimate> speedups;
  for (const MatmulRow& row : rows) speedups.push_back(row.speedup);
  const std::vector<statistics::Decision> decisions = statistics::decide_together(speedups);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].decision = decisions[i];
}

bool belongs_to(const MatmulRow& row, const MatmulBreakEven& found) {
  return row.what.form == found.form && row.what.gpus == found.gpus &&
         row.what.precision == found.precision && row.what.kernel == found.kernel;
}

void fill_in(std::span<const MatmulRow> rows, MatmulBreakEven& found) {
  std::vector<const MatmulRow*> mine;
  for (const MatmulRow& row : rows) {
    if (belongs_to(row, found)) mine.push_back(&row);
  }
  std::ranges::sort(mine, {}, [](const MatmulRow* row) { return row->what.size; });
  found.smallest = mine.front()->what.size;
  found.largest = mine.back()->what.size;
  found.largest_speedup = mine.back()->speedup.ratio;
  found.largest_decision = mine.back()->decision;
  for (auto row = mine.rbegin(); row != mine.rend() && (*row)->decision.verdict == statistics::Payoff::pays;
       ++row)
    found.size = (*row)->what.size;
}

}  // namespace

std::vector<MatmulRow> make_matmul_rows(std::span<const MatmulSeries> series) {
  std::vector<MatmulRow> rows;
  for (const MatmulSeries& one : series) {
    MatmulRow row;
    row.what = one.what;
    row.repeats = one.samples.size();
    row.error = error_of(one);
    row.error_limit = one.error_limit;
    row.right = all_samples_right(one);
    row.parts.fill(row.right ? 0 : not_measured);
    if (row.right) add_speed(one, find_base(one.what, series), row);
    rows.push_back(row);
  }
  decide_rows(rows);
  return rows;
}

std::vector<MatmulBreakEven> find_break_evens(std::span<const MatmulRow> rows) {
  std::vector<MatmulBreakEven> found;
  for (const MatmulRow& row : rows) {
    const bool known =
        std::ranges::any_of(found, [&](const MatmulBreakEven& one) { return belongs_to(row, one); });
    if (known || row.what.gpus == 1) continue;
    MatmulBreakEven& one = found.emplace_back();
    one.form = row.what.form;
    one.gpus = row.what.gpus;
    one.precision = row.what.precision;
    one.kernel = row.what.kernel;
    fill_in(rows, one);
  }
  return found;
}

bool all_right(std::span<const MatmulRow> rows) { return std::ranges::all_of(rows, &MatmulRow::right); }

}  // namespace breakeven::bench
