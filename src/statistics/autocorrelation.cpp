// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/autocorrelation.h"

#include <limits>

#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

double lagged_products(std::span<const double> values, std::size_t lag, double centre) {
  double total = 0;
  for (std::size_t i = lag; i < values.size(); ++i) {
    total += (values[i] - centre) * (values[i - lag] - centre);
  }
  return total / static_cast<double>(values.size());
}

}  // namespace

double effective_sample_size(std::span<const double> values) {
  if (values.size() < 4 || !all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(values.size());
  const double centre = mean(values);
  const double variance = lagged_products(values, 0, centre);
  const double rounding = n * std::numeric_limits<double>::epsilon() * centre;  // of the mean
  if (variance <= rounding * rounding) return n;
  double pairs = 0;
  for (std::size_t lag = 0; lag + 1 < values.size(); lag += 2) {
    const double pair = lagged_products(values, lag, centre) + lagged_products(values, lag + 1, centre);
    if (!(pair > 0)) break;
    pairs += pair;
  }
  const double tau = 2 * pairs / variance - 1;
  return tau > 1 ? n / tau : n;
}

std::size_t batch_count(std::span<const double> series) {
  constexpr std::size_t most = 20, fewest = 10;
  constexpr double roomy = 10, shortest = 3;               // autocorrelation times in a batch
  const double effective = effective_sample_size(series);  // NaN for too few
  if (effective >= roomy * most) return most;
  return effective >= shortest * fewest ? fewest : 0;
}

std::vector<std::span<const double>> batches_of(std::span<const double> series, std::size_t count) {
  std::vector<std::span<const double>> batches;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = series.size() / count + (i < series.size() % count ? 1 : 0);
    batches.push_back(series.subspan(begin, length));
    begin += length;
  }
  return batches;
}

}  // namespace breakeven::statistics
