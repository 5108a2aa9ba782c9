// SPDX-License-Identifier: Apache-2.0
#include "src/predict/way_costs.h"
#include "src/core/axes.h"

#include <algorithm>
#include <cmath>

#include "src/analysis/readings.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

constexpr double similar_utilization = 1.5;  // as a factor

bool is_alike(const Case& one, const Case& other) {
  return are_alike_but_for(one, other, {Axis::model, Axis::batch, Axis::timing});
}

template <typename Taken>
std::vector<const analysis::CaseSummary*> timed_where(const Advisor& advisor, Taken taken) {
  std::vector<const analysis::CaseSummary*> found;
  for (const analysis::MeasuredCase& measured : advisor.cases())
    if (!measured.timed().done.empty() && taken(measured.what)) found.push_back(&measured.timed());
  return found;
}

// Those of the very case, if it was measured; else alike ones.
std::vector<const analysis::CaseSummary*> known_for(const Way& way, const Advisor& advisor) {
  auto own = timed_where(advisor, [&](const Case& what) { return what == way.what; });
  if (!own.empty()) return own;
  return timed_where(advisor, [&](const Case& what) { return is_alike(what, way.what); });
}

Interval range_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  return {mean(values), least, most, values.size()};
}

// The time that the products alone would take at the ceiling, over the time of a step.
double utilization(const Case& what, double seconds, const Advisor& advisor) {
  const std::optional<StepTerms> terms = advisor.terms_of(what);
  return terms ? (*terms)[index_of(StepTerm::arithmetic)] / seconds : not_measured;
}

}  // namespace

Interval start_seconds(const Way& way, const Advisor& advisor) {
  std::vector<double> starts;
  for (const analysis::CaseSummary* summary : known_for(way, advisor)) {
    const double start = start_up_seconds(*summary, advisor.results());
    if (std::isfinite(start)) starts.push_back(start);
  }
  return range_of(starts);
}

Energy energy_of(const Way& way, const Advisor& advisor) {
  const double own_utilization = utilization(way.what, way.seconds.centre, advisor);
  std::vector<double> watts;  // of one GPU
  for (const analysis::CaseSummary* summary :
       timed_where(advisor, [&](const Case& what) { return is_alike(what, way.what); })) {
    const analysis::EnergyOfSample& energy = summary->readings.energy;
    const double joules = energy.joules.centre;
    if (!std::isfinite(joules)) continue;
    if (summary->what.model == way.what.model && summary->what.batch == way.what.batch)
      return {energy.joules, true, energy.runs, summary->done.size()};
    const double seconds = summary->step.mean_seconds;
    const double share = utilization(summary->what, seconds, advisor) / own_utilization;
    if (share <= similar_utilization && share >= 1 / similar_utilization)
      watts.push_back(joules * samples_a_step(summary->what) / (seconds * summary->what.gpus));
  }
  const Interval power = range_of(watts);
  const double gpus_a_sample = way.what.gpus / samples_a_step(way.what);
  return {{power.centre * way.seconds.centre * gpus_a_sample, power.low * way.seconds.low * gpus_a_sample,
           power.high * way.seconds.high * gpus_a_sample, 0}};
}

Interval job_seconds(const Way& way, double samples, const Interval& start) {
  const double steps = samples / samples_a_step(way.what);
  return {start.centre + steps * way.seconds.centre, start.low + steps * way.seconds.low,
          start.high + steps * way.seconds.high, 0};
}

}  // namespace breakeven
