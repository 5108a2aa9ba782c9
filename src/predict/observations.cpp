// SPDX-License-Identifier: Apache-2.0
#include "src/predict/observations.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "src/predict/measured_step.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

// What `auto` chose is a case of that strategy.
Case without_auto(Case what) {
  if (!what.chosen.empty()) what.strategy = std::exchange(what.chosen, "");
  return what;
}

// With its global batch; nothing if another case stands for the same step: one that needs no new name, or an
// earlier one.
std::optional<Case> step_of(const analysis::MeasuredCase& measured,
                            const std::vector<analysis::MeasuredCase>& cases,
                            const std::vector<Observation>& known) {
  const Case what = with_global_batch(without_auto(measured.what));
  if (what == measured.what) return what;
  const auto stands_for_it = [&](const analysis::MeasuredCase& one) {
    return one.what == what && has_step_time(one);
  };
  const bool is_known = std::ranges::any_of(cases, stands_for_it) ||
                        std::ranges::find(known, what, &Observation::what) != known.end();
  return is_known ? std::nullopt : std::optional(what);
}

std::map<std::uint32_t, double> seconds_in_launches(const analysis::CaseSummary& timed) {
  std::map<std::uint32_t, std::vector<double>> runs;
  for (std::size_t i = 0; i < timed.done.size(); ++i)
    runs[timed.done[i]->launch].push_back(timed.step.run_means[i]);
  std::map<std::uint32_t, double> seconds;
  for (const auto& [launch, means] : runs) seconds[launch] = statistics::mean(means);
  return seconds;
}

}  // namespace

double log_half_width(const statistics::Interval& seconds) {
  const double width = std::log(seconds.high / seconds.low) / 2;
  if (seconds.is_too_wide()) return not_measured;
  return std::isfinite(width) ? width : 0;
}

std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis,
                                         const TermsOfMeasured& terms_of) {
  std::vector<Observation> observations;
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const analysis::CaseSummary& timed = measured.timed();
    if (timed.done.empty() || !has_step_time(measured)) continue;
    const auto terms = terms_of(measured, analysis.results().launches[timed.done.front()->launch]);
    const auto what = step_of(measured, analysis.cases(), observations);
    if (terms && what)
      observations.push_back({.what = *what,
                              .terms = *terms,
                              .seconds = timed.step.mean_seconds,
                              .in_launch = seconds_in_launches(timed),
                              .half_width = log_half_width(timed.step.seconds())});
  }
  return observations;
}

std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis) {
  return observations_of(analysis, [](const analysis::MeasuredCase& measured, const Launch& launch) {
    return terms_of_case(measured.what, launch);
  });
}

}  // namespace breakeven::predict
