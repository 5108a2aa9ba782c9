// SPDX-License-Identifier: Apache-2.0
// Autocovariances and the effective sample size.
#include "src/statistics/autocorrelation.h"

#include <algorithm>
#include <limits>

#include "src/statistics/sample.h"

namespace breakeven {
namespace {

double lagged_products(std::span<const double> values, std::size_t lag, double centre) {
  double total = 0;
  for (std::size_t i = lag; i < values.size(); ++i) {
    total += (values[i] - centre) * (values[i - lag] - centre);
  }
  return total / static_cast<double>(values.size());
}

}  // namespace

double autocovariance(std::span<const double> values, std::size_t lag) {
  return lagged_products(values, lag, mean(values));
}

double effective_sample_size(std::span<const double> values) {
  if (values.size() < 4 || !all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(values.size());
  const double centre = mean(values);
  const double variance = lagged_products(values, 0, centre);
  if (variance == 0) return n;
  double pairs = 0;
  for (std::size_t lag = 0; lag + 1 < values.size(); lag += 2) {
    const double pair = lagged_products(values, lag, centre) + lagged_products(values, lag + 1, centre);
    if (!(pair > 0)) break;
    pairs += pair;
  }
  const double tau = 2 * pairs / variance - 1;
  return tau > 1 ? n / tau : n;
}

}  // namespace breakeven
