// SPDX-License-Identifier: Apache-2.0
// 95 % confidence intervals: of a mean, by Student's t or the bootstrap; of a quantile; of a difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::statistics {

inline constexpr double confidence = 0.95;
inline constexpr std::size_t fewest_for_interval = 3;

// What a set of runs is a sample of. Steps of one run are alike, and so are runs of one launch. Counting each
// of them as independent promises too much (of 5 launches of 400 steps, pooled, a nominal 95 % interval held
// the truth 16 % of the time). So the units of an interval are those of the highest level that has several
// of them (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013, section 9).
enum class SamplingUnit {
  none,    // nothing was measured
  launch,  // several launches: the interval covers what changes from one to the next
  run,     // several runs of one launch: it covers that launch
  batch,   // one run: it covers that run, by batches of its steps
};

// `launches` has the launch of every run.
SamplingUnit unit_of(std::span<const std::uint32_t> launches);

std::string_view word_of(SamplingUnit unit);  // "launch"; "none"

// The scope of an interval over so many units: "within one launch", "between 5 launches"; or which launches
// are missing for one. "" where nothing was measured.
std::string scope_of(SamplingUnit unit, std::size_t units);

// The mean of each launch's values, in the order of the launches. `launches` has the launch of each
// value.
std::vector<double> means_of_launches(std::span<const std::uint32_t> launches,
                                      std::span<const double> values);

// low and high are NaN where there are fewer than three values: two give an interval 12.7 deviations wide;
// and where the values differ too much (positive).
struct Interval {
  double centre = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::size_t n = 0;
  bool has_bounds() const { return low <= high; }
  bool is_too_wide() const { return centre > 0 && n >= fewest_for_interval && !has_bounds(); }
  double half_width() const { return (high - low) / 2; }
};

// The interval of a quantity whose logarithm has the interval `logs`.
Interval exponential(const Interval& logs);

// Of a quantity that is always positive, such as a time: no bounds unless the lower one is above a tenth of
// the centre. Values that differ so much are too few for Student's t: its interval soon reaches 0.
Interval positive(const Interval& interval);

// The two-sided quantile: so much of Student's t with n - 1 degrees of freedom lies within +- this. n >= 2.
double t_quantile(std::size_t n, double level = confidence);
double t_quantile_at(double degrees_of_freedom, double level = confidence);

// The probability that Student's t lies beyond +- `t`.
double t_probability(double t, double degrees_of_freedom);

// Half of the width that holds 95 % of further errors, whatever their distribution: of n errors' sizes the
// k-th smallest, k = ceil(0.95 (n + 1)) (split conformal: Lei, G'Sell, Rinaldo, Tibshirani, Wasserman,
// "Distribution-Free Predictive Inference for Regression", JASA 113, 2018, section 2.2). That takes
// `fewest_for_conformal` errors. With fewer, Student's t times their root mean square about 0; NaN for fewer
// than three.
inline constexpr std::size_t fewest_for_conformal = 19;
double error_half_width(std::span<const double> errors);

// Of a probability, from how often it came true: exact (Clopper and Pearson, Biometrika 26, 1934). NaN if
// `asked` is 0.
Interval binomial_interval(std::size_t came_true, std::size_t asked);
// The same of a share of cases, whose number need not be whole.
Interval binomial_interval_of_share(double share, double cases);

// By Student's t. With the launch of every value: over the means of the launches, if there are several.
Interval mean_interval(std::span<const double> values);
Interval mean_interval(std::span<const double> values, std::span<const std::uint32_t> launches);

// Of the mean plus an error about 0 of a known deviation, normal and independent of the values. The quantile
// is the mean of Student's t and the normal's, weighted by the two variances (Cochran, "Approximate
// Significance Levels of the Behrens-Fisher Test", Biometrics 20, 1964); never narrower than without the
// error. Simulated with 3, 5 and 10 values and any ratio of the deviations, it holds in 95.0 to 97.1 %; with
// Satterthwaite's degrees of freedom it would in 92 % with three values.
Interval mean_interval_with_error(std::span<const double> values, double deviation,
                                  double level = confidence);

// From this many values on, a bootstrap covers as often as it promises; below, Student's t does better
// (tests/answer/test_coverage.cpp).
inline constexpr std::size_t fewest_for_bootstrap = 10;

// Of the mean of `values`, each of which is the mean of one independent unit (launch, or run). Units are
// drawn with replacement and kept whole: drawing again within them would count their inner spread twice
// (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). The bounds are the
// expanded percentiles of the resampled means, which have the width of Student's t instead of the normal's
// (Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69, 2015,
// section 4.1), so that skewed values get a skewed interval. Draws come from Philox and are the same in every
// call. No bounds for fewer than `fewest_for_bootstrap` values.
Interval bootstrap_mean_interval(std::span<const double> values);

// Values that belong together, because they were measured together: a run's steps, a launch's, a batch's.
using Cluster = std::vector<double>;

// Of the quantile of all values (sample.h), where values of one cluster may be alike and those of different
// clusters are not. Each cluster gives the share of its values up to the quantile. Student's t gives the
// interval of the mean share, and the quantiles at its two ends are the bounds (Woodruff, "Confidence
// Intervals for Medians and Other Position Measures", JASA 47, 1952). Ends are taken by logarithms of odds,
// so that none lies beyond 100 %. No bounds for fewer than three clusters, or fewer than twenty values beyond
// the quantile: the 99th percentile takes 2000 values, the 95th takes 400.
Interval quantile_interval(std::span<const Cluster> clusters, double q);

// Of mean(one) - mean(other), not paired, each with a variance of its own (Welch, "The Generalization of
// 'Student's' Problem when several different Population Variances are involved", Biometrika 34, 1947;
// Satterthwaite's degrees of freedom). `error` is the standard error of the difference. No bounds, and no
// error, where either has fewer than three values; n is the smaller number.
struct DifferenceEstimate {
  Interval difference;
  double error = std::numeric_limits<double>::quiet_NaN();
  double degrees_of_freedom = std::numeric_limits<double>::quiet_NaN();
};
DifferenceEstimate welch_difference(std::span<const double> one, std::span<const double> other);

}  // namespace breakeven::statistics
