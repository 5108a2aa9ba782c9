// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "src/core/philox.h"
#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

using boost::math::complement;
using boost::math::students_t;

void set_bounds(Interval& interval, double half_width) {
  interval.low = interval.centre - half_width;
  interval.high = interval.centre + half_width;
}

// Uniform below n, as exactly as 32 bits allow: n is the number of units, some hundreds at most.
std::uint32_t place_below(std::size_t n, std::uint32_t word) {
  return static_cast<std::uint32_t>((std::uint64_t{word} * n) >> 32);
}

constexpr std::uint32_t resamples = 4000;

// The units of one resample after the other, the same for all samples of n units. Drawing them takes longer
// than all else of a bootstrap, and a report asks for few different n.
const std::vector<std::uint32_t>& places_in_resamples(std::size_t n) {
  constexpr std::uint64_t seed = 20250617;
  static std::map<std::size_t, std::vector<std::uint32_t>> known;
  std::vector<std::uint32_t>& places = known[n];
  if (!places.empty()) return places;
  places.reserve(resamples * n);
  for (std::uint32_t resample = 0; resample < resamples; ++resample) {
    for (std::size_t i = 0; i < n; i += 4) {
      const Philox4 words = philox4x32(seed, resample, static_cast<std::uint32_t>(i / 4), 0, 0);
      for (std::size_t j = i; j < std::min(i + 4, n); ++j)
        places.push_back(place_below(n, words.word[j - i]));
    }
  }
  return places;
}

// The percentile that stands in for 2.5 %.
double expanded_tail(std::size_t n) {
  const double count = static_cast<double>(n);
  return cdf(boost::math::normal(), -std::sqrt(count / (count - 1)) * t_quantile(n));
}

// For each cluster, how many values are up to the limit.
std::vector<double> shares_up_to(double limit, std::span<const Cluster> clusters) {
  std::vector<double> shares;
  for (const Cluster& cluster : clusters) {
    const auto within = std::ranges::count_if(cluster, [=](double value) { return value <= limit; });
    shares.push_back(static_cast<double>(within) / static_cast<double>(cluster.size()));
  }
  return shares;
}

double moved_by_odds(double share, double logarithm) {
  const double odds = share / (1 - share) * std::exp(logarithm);
  return odds / (1 + odds);
}

double squared_error_of_mean(std::span<const double> values) {
  const double deviation = standard_deviation(values);
  return deviation * deviation / static_cast<double>(values.size());
}

}  // namespace

SamplingUnit unit_of(std::span<const std::uint32_t> launches) {
  if (launches.empty()) return SamplingUnit::none;
  if (launches.size() == 1) return SamplingUnit::batch;
  const auto other = std::ranges::find_if(launches, [&](auto launch) { return launch != launches.front(); });
  return other == launches.end() ? SamplingUnit::run : SamplingUnit::launch;
}

std::string_view word_of(SamplingUnit unit) {
  constexpr std::array<std::string_view, 4> words{"none", "launch", "run", "batch"};
  return words[static_cast<std::size_t>(unit)];
}

std::string scope_of(SamplingUnit unit, std::size_t units) {
  if (unit == SamplingUnit::none || units == 0) return "";
  if (unit == SamplingUnit::run) return "within one launch";
  if (unit == SamplingUnit::batch) return "within one launch, one run each";
  if (units == 1) return "none from 1 launch, two more are missing";
  if (units == 2) return "none from 2 launches, a third launch is missing";
  return fmt::format("between {} launches", units);
}

std::vector<double> means_of_launches(std::span<const std::uint32_t> launches,
                                      std::span<const double> values) {
  std::map<std::uint32_t, std::vector<double>> by_launch;
  for (std::size_t i = 0; i < values.size(); ++i) by_launch[launches[i]].push_back(values[i]);
  std::vector<double> means;
  for (const auto& [launch, of_launch] : by_launch) means.push_back(mean(of_launch));
  return means;
}

Interval exponential(const Interval& logs) {
  return {std::exp(logs.centre), std::exp(logs.low), std::exp(logs.high), logs.n};
}

Interval positive(const Interval& interval) {
  if (interval.low > interval.centre / 10) return interval;
  return {.centre = interval.centre, .n = interval.n};
}

// A report asks thousands of times for a few of them, which take microseconds each.
double t_quantile(std::size_t n, double level) {
  static std::map<std::pair<std::size_t, double>, double> known;
  if (const auto found = known.find({n, level}); found != known.end()) return found->second;
  const double quantile = t_quantile_at(static_cast<double>(n - 1), level);  // throws if there is none
  return known[{n, level}] = quantile;
}

double t_quantile_at(double degrees_of_freedom, double level) {
  return quantile(complement(students_t(degrees_of_freedom), (1 - level) / 2));
}

double t_probability(double t, double degrees_of_freedom) {
  return 2 * cdf(complement(students_t(degrees_of_freedom), t));
}

double error_half_width(std::span<const double> errors) {
  if (errors.size() < fewest_for_interval) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(errors.size());
  if (errors.size() >= fewest_for_conformal) {
    std::vector<double> sizes(errors.begin(), errors.end());
    for (double& size : sizes) size = std::abs(size);
    const auto place = sizes.begin() + std::lround(std::ceil(confidence * (n + 1) - 1e-9)) - 1;
    std::ranges::nth_element(sizes, place);
    return *place;
  }
  return t_quantile(errors.size() + 1) * root_mean_square(errors);
}

Interval binomial_interval(std::size_t came_true, std::size_t asked) {
  const auto n = static_cast<double>(asked);
  Interval interval = binomial_interval_of_share(static_cast<double>(came_true) / n, n);
  interval.n = asked;
  return interval;
}

Interval binomial_interval_of_share(double share, double cases) {
  if (!(cases > 0)) return {};
  using boost::math::binomial;
  constexpr double tail = (1 - confidence) / 2;
  const double came_true = share * cases;
  return {share, binomial::find_lower_bound_on_p(cases, came_true, tail),
          binomial::find_upper_bound_on_p(cases, came_true, tail), 0};
}

Interval mean_interval(std::span<const double> values) {
  Interval interval{.centre = mean(values), .n = values.size()};
  if (values.size() < fewest_for_interval || !all_finite(values)) return interval;
  const double n = static_cast<double>(values.size());
  set_bounds(interval, t_quantile(values.size()) * standard_deviation(values) / std::sqrt(n));
  return interval;
}

Interval mean_interval(std::span<const double> values, std::span<const std::uint32_t> launches) {
  if (unit_of(launches) != SamplingUnit::launch) return mean_interval(values);
  return mean_interval(means_of_launches(launches, values));
}

Interval bootstrap_mean_interval(std::span<const double> values) {
  Interval interval{.centre = mean(values), .n = values.size()};
  if (values.size() < fewest_for_bootstrap || !all_finite(values)) return interval;
  std::vector<double> means(resamples);
  auto place = places_in_resamples(values.size()).begin();
  for (double& mean : means) {
    double total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) total += values[*place++];
    mean = total / static_cast<double>(values.size());
  }
  const double tail = expanded_tail(values.size());
  interval.low = quantile(means, tail);
  interval.high = quantile(means, 1 - tail);
  return interval;
}

Interval quantile_interval(std::span<const Cluster> clusters, double q) {
  constexpr double fewest_beyond = 20 - 1e-9;  // 0.95 is not exact
  std::vector<double> all;
  for (const Cluster& cluster : clusters) all.insert(all.end(), cluster.begin(), cluster.end());
  Interval interval{.centre = quantile(all, q)};
  const double beyond = std::min(q, 1 - q) * static_cast<double>(all.size());
  if (clusters.size() < fewest_for_interval || !std::isfinite(interval.centre)) return interval;
  if (!(beyond >= fewest_beyond)) return interval;
  const std::vector<double> shares = shares_up_to(interval.centre, clusters);
  const double error = standard_deviation(shares) / std::sqrt(static_cast<double>(shares.size()));
  // The delta method: the derivative of ln(q / (1 - q)) is 1 / (q (1 - q)).
  const double half_width = t_quantile(clusters.size()) * error / (q * (1 - q));
  interval.low = quantile(all, moved_by_odds(q, -half_width));
  interval.high = quantile(all, moved_by_odds(q, half_width));
  interval.n = clusters.size();
  return interval;
}

Interval mean_interval_with_error(std::span<const double> values, double deviation, double level) {
  Interval interval = mean_interval(values);
  if (!interval.has_bounds()) return interval;
  const double sampling = squared_error_of_mean(values), all = sampling + deviation * deviation;
  const double normal = quantile(boost::math::normal(), (1 + level) / 2),
               t = t_quantile(values.size(), level);
  const double weighted = (sampling * t + deviation * deviation * normal) / std::sqrt(all);
  set_bounds(interval,
             std::fmax(t * std::sqrt(sampling), weighted));  // the second is NaN where nothing varies
  return interval;
}

DifferenceEstimate welch_difference(std::span<const double> one, std::span<const double> other) {
  DifferenceEstimate estimate;
  estimate.difference = {.centre = mean(one) - mean(other), .n = std::min(one.size(), other.size())};
  if (estimate.difference.n < fewest_for_interval || !all_finite(one) || !all_finite(other)) return estimate;
  const double first = squared_error_of_mean(one);
  const double second = squared_error_of_mean(other);
  estimate.error = std::sqrt(first + second);
  const double squares = first * first / static_cast<double>(one.size() - 1) +
                         second * second / static_cast<double>(other.size() - 1);
  // Two samples without any spread say the same with any degrees of freedom.
  estimate.degrees_of_freedom = squares > 0 ? (first + second) * (first + second) / squares
                                            : static_cast<double>(one.size() + other.size() - 2);
  set_bounds(estimate.difference, t_quantile_at(estimate.degrees_of_freedom, confidence) * estimate.error);
  return estimate;
}

}  // namespace breakeven::statistics
