// SPDX-License-Identifier: Apache-2.0
#include "src/predict/advisor.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "src/analysis/readings.h"
#include "src/core/axes.h"
#include "src/core/model/model_shape.h"
#include "src/core/strategy/case_strategy.h"
#include "src/predict/measured_step.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

// The last one with a roofline and the same settings of NCCL as the case.
const Launch& latest_launch_for(const Case& what, const Results& results) {
  for (auto launch = results.launches.rbegin(); launch != results.launches.rend(); ++launch) {
    const bool has_settings =
        !traits_of(what.transport).takes_nccl_settings || nccl_settings_of(*launch) == what.nccl;
    if (has_settings && has_roofline(*launch)) return *launch;
  }
  return results.launches.back();
}

constexpr double similar_utilization = 1.5;  // as a factor

bool is_alike(const Case& one, const Case& other) {
  return are_alike_but_for(one, other, {Axis::model, Axis::batch, Axis::timing, Axis::scaling});
}

template <typename Taken>
std::vector<const analysis::CaseSummary*> timed_where(const Advisor& advisor, Taken taken) {
  std::vector<const analysis::CaseSummary*> found;
  for (const analysis::MeasuredCase& measured : advisor.cases())
    if (!measured.timed().done.empty() && taken(measured.what)) found.push_back(&measured.timed());
  return found;
}

// Uses this case if it was measured, else similar ones.
std::vector<const analysis::CaseSummary*> known_for(const Configuration& config, const Advisor& advisor) {
  auto own = timed_where(
      advisor, [&](const Case& what) { return with_global_batch(what) == with_global_batch(config.what); });
  if (!own.empty()) return own;
  return timed_where(advisor, [&](const Case& what) { return is_alike(what, config.what); });
}

statistics::Interval range_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  return {statistics::mean(values), least, most, values.size()};
}

// The time of the products at the precision's peak rate over the time of a step.
double utilization(const Case& what, double seconds, const Advisor& advisor) {
  const std::optional<StepTerms> terms = advisor.terms_of(what);
  return terms ? (*terms)[index_of(StepTerm::arithmetic)] / seconds : not_measured;
}

}  // namespace

Advisor::Advisor(const analysis::FileAnalysis& analysis)
    : analysis_(analysis), model_(analysis), between_batches_(analysis), memory_(analysis) {
  for (const analysis::MeasuredCase& measured : cases())
    most_gpus_ = std::max(most_gpus_, measured.what.gpus);
}

std::optional<StepTerms> Advisor::terms_of(const Case& what) const {
  return terms_of_case(what, latest_launch_for(what, results()));
}

std::optional<Prediction> Advisor::predict(const Case& what) const {
  const std::optional<StepTerms> terms = terms_of(what);
  return terms ? model_.predict(what, *terms) : std::nullopt;
}

std::optional<Configuration> Advisor::configuration(const Query& query, Case what) const {
  what.model = query.model;
  what.batch = query.batch;
  what.timing = {};
  if (!has_formula(what) || !is_possible(what)) return std::nullopt;
  std::optional<StepTerms> terms = terms_of(what);
  if (!terms) return configuration_of(what, query, std::nullopt, analysis_, memory_);
  (*terms)[index_of(StepTerm::bandwidth)] /= query.link_factor;
  return configuration_of(what, query, model_.predict(what, *terms, least_scale_of(query)), analysis_,
                          memory_);
}

double Advisor::least_scale_of(const Query& query) const {
  return query.link_factor == 1 ? 0 : model_.usual_scale();
}

std::vector<Configuration> Advisor::interpolated(const Query& query, int most_gpus) const {
  std::vector<Configuration> configs;
  if (query.only_predicted) return configs;  // a formula's work
  for (Case what : between_batches_.configurations_of(query.model)) {
    what.batch = query.batch;
    what.timing = {};
    if (what.gpus > most_gpus || !is_taken(query, what) || !is_configuration(what)) continue;
    auto found = configuration_of(what, query, between_batches_.predict(what), analysis_, memory_);
    if (found) configs.push_back(std::move(*found));
  }
  return configs;
}

std::uint64_t Advisor::parameters_of(const std::string& model) const {
  const CaseModel by_layers = model;
  if (by_layers.known() != nullptr) return by_layers.value().parameters();
  const auto measured = std::ranges::find_if(
      cases(), [&](const analysis::MeasuredCase& one) { return one.what.model == model; });
  return measured == cases().end() ? 0 : measured->timed().parameters;
}

std::vector<Configuration> Advisor::configurations(const Query& query) const {
  const int most = query.most_gpus > 0 ? query.most_gpus : most_gpus_;
  std::vector<Configuration> configs = interpolated(query, most);
  for (const StepModel::Family& family : model_.families()) {
    if (!is_taken(query, family.key)) continue;
    std::set<int> counts;  // only those measured with this strategy
    for (const Observation& one : family.observations)
      if (one.what.gpus <= most) counts.insert(one.what.gpus);
    for (const int gpus : counts) {
      Case what = family.key;
      what.gpus = gpus;
      if (!is_configuration(what)) continue;
      if (auto found = configuration(query, what)) configs.push_back(std::move(*found));
    }
  }
  compare_with_single(configs, configs, [&](const Configuration& config, const Configuration& base) {
    if (std::min(config.basis, base.basis) == Basis::interpolated) return not_measured;
    return model_.speedup_half_width(config.what, base.what, std::max(config.basis, base.basis),
                                     least_scale_of(query));
  });
  sort_by_speed(configs);
  return configs;
}

statistics::Interval start_seconds(const Configuration& config, const Advisor& advisor) {
  std::vector<double> starts;
  for (const analysis::CaseSummary* summary : known_for(config, advisor)) {
    const double start = analysis::start_up_seconds(*summary, advisor.results());
    if (std::isfinite(start)) starts.push_back(start);
  }
  return range_of(starts);
}

Energy energy_of(const Configuration& config, const Advisor& advisor) {
  const double own_utilization = utilization(config.what, config.seconds.centre, advisor);
  std::vector<double> watts;  // of one GPU
  for (const analysis::CaseSummary* summary :
       timed_where(advisor, [&](const Case& what) { return is_alike(what, config.what); })) {
    const analysis::EnergyOfSample& energy = summary->readings.energy;
    const double joules = energy.joules.centre;
    if (!std::isfinite(joules)) continue;
    if (summary->what.model == config.what.model && summary->what.batch == config.what.batch)
      return {energy.joules, true, energy.runs, summary->done.size()};
    const double seconds = summary->step.mean_seconds;
    const double share = utilization(summary->what, seconds, advisor) / own_utilization;
    if (share <= similar_utilization && share >= 1 / similar_utilization)
      watts.push_back(joules * samples_a_step(summary->what) / (seconds * summary->what.gpus));
  }
  const statistics::Interval power = range_of(watts);
  const double gpus_a_sample = config.what.gpus / samples_a_step(config.what);
  return {{power.centre * config.seconds.centre * gpus_a_sample,
           power.low * config.seconds.low * gpus_a_sample, power.high * config.seconds.high * gpus_a_sample,
           0}};
}

statistics::Interval job_seconds(const Configuration& config, double samples,
                                 const statistics::Interval& start) {
  const double steps = samples / samples_a_step(config.what);
  return {start.centre + steps * config.seconds.centre, start.low + steps * config.seconds.low,
          start.high + steps * config.seconds.high, 0};
}

}  // namespace breakeven::predict
