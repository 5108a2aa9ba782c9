// SPDX-License-Identifier: Apache-2.0
#include "src/statistics/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/statistics/autocorrelation.h"
#include "src/statistics/change_points.h"
#include "src/statistics/interval.h"
#include "src/statistics/outliers.h"
#include "src/statistics/sample.h"

namespace breakeven::statistics {
namespace {

constexpr std::size_t longest_series = 2000;  // beyond it, means of neighbouring steps stand for them
constexpr std::size_t shortest_segment = 5;
constexpr double least_deviation = 1e-3;  // of logarithms: differences of 0.1 % are of no interest
constexpr double most_standard_errors = 3;
constexpr double highest_correlation = 0.95;  // of neighbours; a series of nothing else has no level

constexpr double quarters_level = 0.99;

bool all_positive(std::span<const double> values) {
  return all_finite(values) && std::ranges::all_of(values, [](double value) { return value > 0; });
}

// The series in at most `longest_series` values, each the mean of `group` steps.
std::vector<double> coarse(std::span<const double> values, std::size_t group) {
  std::vector<double> means;
  for (std::size_t begin = 0; begin + group <= values.size(); begin += group)
    means.push_back(mean(values.subspan(begin, group)));
  return means;
}

// Sum of the autocorrelations of a series x_s = rho x_(s-1) + noise, by the squares of its differences over
// one and two steps, 2 var (1 - rho) and 2 var (1 - rho^2), of which a change of level makes only a few large
// (Chakar, Lebarbier, Levy-Leduc and Robin, Bernoulli 23, 2017, section 2.2, who take medians; here the means
// of all but the largest 5 %, since a series of two modes has no typical difference).
double autocorrelation_time(std::span<const double> values) {
  const auto typical_square = [&](std::size_t lag) {
    std::vector<double> squares;
    for (std::size_t i = lag; i < values.size(); ++i) {
      const double difference = values[i] - values[i - lag];
      squares.push_back(difference * difference);
    }
    std::ranges::sort(squares);
    return mean(std::span(squares).first(squares.size() - squares.size() / 20));
  };
  const double ratio = typical_square(2) / typical_square(1);  // NaN where nearly all steps are equal
  const double rho = std::clamp(std::isfinite(ratio) ? ratio - 1 : 0.0, 0.0, highest_correlation);
  return (1 + rho) / (1 - rho);
}

bool same_level(std::span<const double> one, std::span<const double> other, double time) {
  const double difference = std::abs(mean(one) - mean(other));
  const double deviation = std::max(standard_deviation(one), standard_deviation(other));
  const double weight = 1 / static_cast<double>(one.size()) + 1 / static_cast<double>(other.size());
  return difference <=
         std::max(steady_tolerance, most_standard_errors * deviation * std::sqrt(time * weight));
}

// The first value of the last level; `time` is the autocorrelation time.
std::size_t first_of_last_level(std::span<const double> logs, double time) {
  const double n = static_cast<double>(logs.size());
  const std::vector<std::size_t> changes =
      change_points(logs, {.penalty = 15 * std::log(n) * (1 + time) / 2,
                           .least_variance = least_deviation * least_deviation,
                           .shortest = shortest_segment});
  if (changes.empty()) return 0;
  std::size_t first = changes.back();
  for (std::size_t i = changes.size(); i-- > 0;) {
    const std::size_t begin = i == 0 ? 0 : changes[i - 1];
    if (!same_level(logs.subspan(begin, changes[i] - begin), logs.subspan(first), time)) break;
    first = begin;
  }
  return first;
}

// Change of the level from the first batch to the last, where it is more than chance; else 0. Batches shorter
// than some autocorrelation times are alike, so their residuals are widened by that correlation.
double drift(std::span<const double> logs, double time) {
  constexpr std::size_t count = 10;
  std::vector<double> levels;
  for (const std::span<const double> batch : batches_of(logs, count)) levels.push_back(mean(batch));
  const double centre = mean(levels);
  double covariance = 0;
  double spread = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) - (count - 1) / 2.0;
    covariance += place * (levels[i] - centre);
    spread += place * place;
  }
  const double slope = covariance / spread;
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) - (count - 1) / 2.0;
    const double residual = levels[i] - centre - slope * place;
    squares += residual * residual;
  }
  const double shared = 1 + 2 * time * count / static_cast<double>(logs.size());
  const double error = std::sqrt(shared * squares / (count - 2) / spread);
  const bool is_chance = std::abs(slope) <= t_quantile(count - 1, 0.99) * error;
  return is_chance ? 0.0 : slope * (count - 1);
}

}  // namespace

SteadyState find_steady_state(std::span<const double> step_seconds) {
  SteadyState steady;
  if (step_seconds.size() < fewest_for_quarters || !all_positive(step_seconds)) return steady;
  if (step_seconds.size() < fewest_for_change_points) {
    steady.verdict =
        quarters_agree(step_seconds, largest_drift) ? SteadyVerdict::steady : SteadyVerdict::not_steady;
    return steady;
  }
  const std::size_t group = (step_seconds.size() - 1) / longest_series + 1;
  const std::vector<double> logs = without_spikes(logarithms(coarse(step_seconds, group)));
  const std::span<const double> all(logs);
  const double time = autocorrelation_time(all);
  const std::size_t first = first_of_last_level(all, time);
  const bool is_steady =
      2 * first <= all.size() && std::abs(drift(all.subspan(first), time)) <= largest_drift;
  steady.verdict = is_steady ? SteadyVerdict::steady : SteadyVerdict::not_steady;
  if (!is_steady) return steady;
  steady.first = first * group;
  const double by_mser = mean(all.subspan(mser5_truncation(all)));
  steady.mser_disagrees = !(std::abs(by_mser - mean(all.subspan(first))) <= steady_tolerance);
  return steady;
}

bool quarters_agree(std::span<const double> step_seconds, double tolerance) {
  constexpr std::size_t count = 4;
  constexpr double comparisons = count * (count - 1) / 2.0;
  const std::size_t size = step_seconds.size();
  if (size < fewest_for_quarters || !all_positive(step_seconds)) return false;
  std::vector<double> means;
  for (const std::span<const double> quarter : batches_of(step_seconds, count))
    means.push_back(mean(quarter));
  const auto [least, most] = std::ranges::minmax(means);
  double squares = 0;
  for (std::size_t i = 1; i < size; ++i)
    squares += (step_seconds[i] - step_seconds[i - 1]) * (step_seconds[i] - step_seconds[i - 1]);
  const double deviation = std::sqrt(squares / 2 / static_cast<double>(size - 1));
  const double error = deviation * std::sqrt(2.0 * count / static_cast<double>(size));
  const double quantile = t_quantile(2 * (size - 1) / 3 + 1, 1 - (1 - quarters_level) / comparisons);
  return most - least <= std::max(tolerance * least, quantile * error);
}

std::size_t mser5_truncation(std::span<const double> values) {
  constexpr std::size_t length = 5;
  const std::size_t batches = values.size() / length;
  double total = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t truncated = 0;
  const double centre = mean(values);
  for (std::size_t kept = 1; kept <= batches; ++kept) {  // from the end
    const std::size_t first = batches - kept;
    const double value = mean(values.subspan(first * length, length)) - centre;
    total += value;
    squares += value * value;
    if (2 * first > batches) continue;
    const double n = static_cast<double>(kept);
    const double error = (squares - total * total / n) / (n * n);
    if (error <= least) {
      least = error;
      truncated = first;
    }
  }
  return truncated * length;
}

}  // namespace breakeven::statistics
