// SPDX-License-Identifier: Apache-2.0
// Batches of a series and the interval of its mean.
#include "src/statistics/batch_means.h"

#include "src/statistics/autocorrelation.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

constexpr double roomy_batch = 10;  // in autocorrelation times
constexpr double shortest_batch = 3;

}  // namespace

std::size_t batch_count(std::span<const double> series) {
  const double effective = effective_sample_size(series);  // NaN where there are too few
  if (effective >= roomy_batch * most_batches) return most_batches;
  return effective >= shortest_batch * fewest_batches ? fewest_batches : 0;
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

Interval batch_means_interval(std::span<const double> series) {
  std::vector<double> means;
  for (const std::span<const double> batch : batches_of(series, batch_count(series)))
    means.push_back(mean(batch));
  Interval interval = mean_interval(means);
  interval.centre = mean(series);
  return interval;
}

}  // namespace breakeven
