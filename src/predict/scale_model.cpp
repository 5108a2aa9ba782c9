// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scale_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "src/core/axes.h"
#include "src/predict/measured_step.h"
#include "src/predict/meshes.h"
#include "src/statistics/clusters.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

analysis::ExchangeTime no_exchange(const std::vector<Message>&) { return {}; }

// Other settings of NCCL make another transport.
std::string name_of_transport(const Level<Transport>& transport, const std::string& nccl_settings) {
  const std::string word(transport.word());
  return traits_of(transport).takes_nccl_settings && !nccl_settings.empty() ? word + ", " + nccl_settings
                                                                            : word;
}
std::string name_of_transport(const Case& what) { return name_of_transport(what.transport, what.nccl); }

}  // namespace

ScaleModel::ScaleModel(const analysis::FileAnalysis& analysis, Machine machine, int most_gpus)
    : ScaleModel(analysis, std::move(machine), Known{.most_gpus = most_gpus}) {
  if (most_gpus == 0) advisor_.emplace(analysis);
  further_errors_ = find_further_errors();
}

ScaleModel::ScaleModel(const analysis::FileAnalysis& analysis, Machine machine, Known known)
    : analysis_(analysis),
      machine_(std::move(machine)),
      most_gpus_(known.most_gpus > 0 ? known.most_gpus : std::numeric_limits<int>::max()),
      memory_(analysis) {
  for (std::size_t place = 0; place < probed_transports.size(); ++place) {
    const Transport transport = transport_at(place);
    for (const Launch& launch : analysis.results().launches) {
      auto costs = calls_of(launch, transport);
      if (!costs) continue;
      transports_.insert_or_assign(name_of_transport(transport, nccl_settings_of(launch)),
                                   TransportModel{Interconnect(machine_, transport, std::move(*costs)),
                                                  check_calls(launch.message_times, transport, most_gpus_)});
    }
  }
  has_roofline_ = std::ranges::all_of(analysis.results().launches, breakeven::has_roofline);
  model_.emplace(observations_of(analysis, [&](const analysis::MeasuredCase& measured, const Launch& launch) {
    const bool is_known = measured.what.model != known.without_model;
    return is_known ? terms_as_measured(measured, launch) : std::nullopt;
  }));
}

FurtherErrors ScaleModel::find_further_errors() const {
  std::set<int> counts;
  std::set<std::string> models;
  for (const analysis::MeasuredCase& measured : cases()) {
    if (measured.what.gpus > 1 && measured.what.gpus <= most_gpus_) counts.insert(measured.what.gpus);
    models.insert(measured.what.model);
  }
  if (counts.size() < 2) return {};
  const int to = *counts.rbegin(), from = *std::next(counts.rbegin());
  std::vector<FurtherError> errors;
  add_further_errors({analysis_, machine_as_measured(), Known{from}}, to, Basis::extrapolated, errors);
  for (const std::string& model : models)
    add_further_errors({analysis_, machine_as_measured(), Known{from, model}}, to, Basis::fitted, errors);
  return {from, to, errors};
}

void ScaleModel::add_further_errors(const ScaleModel& fewer, int gpus, Basis basis,
                                    std::vector<FurtherError>& errors) const {
  for (const HeldOutCase& one : predict_held_out(fewer, gpus)) {
    if (one.predicted.basis != basis) continue;
    const double error = one.placed_error().log_error;
    errors.push_back({one.what, basis, error, single_error(one.what, basis) - error});
  }
}

// Of the fastest single GPU's seconds, without the case or without its model; NaN: not known.
double ScaleModel::single_error(const Case& what, Basis basis) const {
  double least = std::numeric_limits<double>::infinity(), error = not_measured;
  for (const StepModel::Family& family : model_->families()) {
    for (std::size_t i = 0; i < family.observations.size(); ++i) {
      const Observation& one = family.observations[i];
      if (!analysis::is_single_gpu(one.what) || one.seconds >= least ||
          !are_alike(one.what, what, {Axis::model, Axis::batch, Axis::precision}))
        continue;
      least = one.seconds;
      error = family.errors.of(basis).log_errors[i];
    }
  }
  return error;
}

bool ScaleModel::has_links_as_measured(int gpus) const {
  std::int64_t joined = 1;
  for (const LinkLevel& level : machine_.levels) {
    if (joined >= gpus) return true;
    if (!level.is_measured) return false;
    joined *= level.joins;
  }
  return true;
}

bool ScaleModel::was_measured_on(int gpus, const StepModel::Family& family) const {
  return std::ranges::any_of(family.observations,
                             [&](const Observation& one) { return one.what.gpus == gpus; });
}

bool ScaleModel::was_measured_on(int gpus, const Query& query) const {
  return std::ranges::any_of(model_->families(), [&](const StepModel::Family& family) {
    Case what = family.key;
    what.gpus = gpus;
    return is_taken(query, what) && is_configuration(what) && was_measured_on(gpus, family);
  });
}

const Advisor* ScaleModel::advisor_for(const Case& what) const {
  if (!advisor_ || !has_links_as_measured(what.gpus)) return nullptr;
  const StepModel::Family* family = advisor_->model().find(what);
  const bool is_known = family != nullptr && was_measured_on(what.gpus, *family) && advisor_->terms_of(what);
  return is_known ? &*advisor_ : nullptr;
}

double ScaleModel::speedup_half_width(const Configuration& config, const Configuration& base) const {
  const Basis basis = std::max(config.basis, base.basis);
  if (const Advisor* advisor = advisor_for(config.what))
    return advisor->model().speedup_half_width(config.what, base.what, basis);
  const StepModel::Family* family = model_->find(config.what);
  if (family == nullptr || !has_links_as_measured(config.what.gpus)) return not_measured;
  if (was_measured_on(config.what.gpus, *family))
    return model_->speedup_half_width(config.what, base.what, basis);
  return further_errors_.speedup_half_width(*family, config.what, basis);
}

// The first rank stands for all.
Roofline ScaleModel::roofline_of(const Launch& launch) const {
  if (breakeven::has_roofline(launch)) return launch.roofline.front();
  return stand_in_roofline(cases());
}

// If no call was measured, from the links between GPUs, for files whose cases went over them.
std::optional<CallCosts> ScaleModel::calls_of(const Launch& launch, Transport transport) const {
  auto costs = fit_calls(launch.message_times, transport, most_gpus_);
  const auto went_over_links = [](const analysis::MeasuredCase& measured) {
    return traits_of(measured.what.transport).goes_over_links;
  };
  if (!costs && traits_of(transport).goes_over_links && std::ranges::any_of(cases(), went_over_links))
    costs = calls_over_links(launch.topology, most_gpus_);
  return costs;
}

std::optional<StepTerms> ScaleModel::terms_as_measured(const analysis::MeasuredCase& measured,
                                                       const Launch& launch) const {
  const Case& what = measured.what;
  if (what.gpus > most_gpus_) return std::nullopt;
  const Transport transport = what.transport.known().value_or(Transport::none);
  const auto costs = calls_of(launch, transport);
  if (what.gpus > 1 && what.transport != Transport::none && !costs) return std::nullopt;
  const Interconnect interconnect(machine_as_measured(), transport, costs.value_or(CallCosts{}));
  return terms_of_case(what, roofline_of(launch), clock_of(interconnect, what));
}

std::optional<StepTerms> ScaleModel::terms_of(const Case& what) const {
  const Roofline roofline = roofline_of(analysis_.results().launches.back());
  if (what.gpus == 1 || what.transport == Transport::none) return terms_of_case(what, roofline, no_exchange);
  const TransportModel* const transport = transport_of(what);
  if (transport == nullptr) return std::nullopt;
  return terms_of_case(what, roofline, clock_of(transport->interconnect, what));
}

const TransportModel* ScaleModel::transport_of(const Case& what) const {
  const auto found = transports_.find(name_of_transport(what));
  return found != transports_.end() && reaches_all(what, machine_) ? &found->second : nullptr;
}

std::optional<Prediction> ScaleModel::predict_by(const StepModel::Family& family, const Case& what) const {
  if (const Advisor* advisor = advisor_for(what)) return advisor->predict(what);
  const auto terms = terms_of(what);
  if (!terms) return std::nullopt;
  if (what.strategy == family.key.strategy && was_measured_on(what.gpus, family))
    return model_->predict(what, *terms);
  const TransportModel* const transport = transport_of(what);
  const ExchangeWarning warning = transport != nullptr ? warning_of(*transport, what) : ExchangeWarning{};
  Prediction prediction = extrapolate(family, what, *terms, warning);
  const double half_width = further_errors_.seconds_half_width(family, what, prediction.basis);
  const double of_formula = std::log(prediction.high / prediction.seconds);
  if (half_width > 0)
    prediction.set_half_width(has_links_as_measured(what.gpus) ? half_width
                                                               : std::max(half_width, of_formula));
  return prediction;
}

std::optional<Prediction> ScaleModel::predict(const Case& what) const {
  const StepModel::Family* family = model_->find(what);
  return family != nullptr ? predict_by(*family, what) : std::nullopt;
}

std::string ScaleModel::form_of_exchange(const Case& what) const {
  const TransportModel* const transport = transport_of(what);
  return transport != nullptr ? form_of_longest_call(*transport, what) : "";
}

void ScaleModel::add_configurations(const StepModel::Family& family, const Query& query, Case like,
                                    std::vector<Configuration>& configs) const {
  if (!is_configuration(like)) return;
  const bool is_known = has_links_as_measured(like.gpus) && was_measured_on(like.gpus, query);
  if (is_known && !was_measured_on(like.gpus, family)) return;
  const std::string own = family.key.strategy;
  for (const std::string& form : is_known ? std::vector{own} : forms_on(own, like.gpus)) {
    like.strategy = form;
    if (std::ranges::find(configs, like, &Configuration::what) != configs.end() || !is_possible(like))
      continue;
    const StepModel::Family* named = model_->find(like);
    const auto prediction = predict_by(named != nullptr ? *named : family, like);
    if (!prediction) continue;
    if (auto config = configuration_of(like, query, prediction, analysis_, memory_))
      configs.push_back(std::move(*config));
  }
}

std::vector<Configuration> ScaleModel::configurations(const Query& query, Scaling scaling, int gpus) const {
  std::vector<Configuration> configs, singles;
  for (const StepModel::Family& family : model_->families()) {
    if (!is_taken(query, family.key)) continue;
    Case like = family.key;
    like.model = query.model;
    like.timing = {};
    for (const int count : std::set{1, gpus}) {
      like.gpus = count;
      const auto times = static_cast<std::uint32_t>(scaling == Scaling::weak ? count : 1);
      like.batch = query.batch * times;
      like.scaling = count > 1 ? scaling : Scaling::strong;
      add_configurations(family, query, like, count == 1 ? singles : configs);
    }
  }
  if (gpus == 1) configs = singles;
  compare_with_single(configs, singles, [this](const Configuration& config, const Configuration& base) {
    return speedup_half_width(config, base);
  });
  sort_by_speed(configs);
  return configs;
}

namespace {

// Without the model's own errors, which are what is judged.
void calibrate_by_other_models(std::vector<HeldOutCase>& cases) {
  for (HeldOutCase& one : cases) {
    std::vector<PlacedError> errors;
    for (const HeldOutCase& other : cases)
      if (other.what.model != one.what.model && other.predicted.basis == one.predicted.basis)
        errors.push_back(other.placed_error());
    const double half_width = LocalErrors(errors, unit_of(one.predicted.basis)).half_width(one.what);
    if (half_width > 0) one.predicted.set_half_width(half_width);
  }
}

}  // namespace

std::vector<HeldOutCase> predict_held_out(const ScaleModel& model, int gpus) {
  std::vector<HeldOutCase> held_out;
  for (const analysis::MeasuredCase& measured : model.cases()) {
    const analysis::StepTimes& step = measured.timed().step;
    if (measured.what.gpus != gpus ||
        find_measured(with_global_batch(measured.what), model.cases()) != &measured)
      continue;  // also where strong scaling measured this step too
    const auto prediction = model.predict(measured.what);
    if (!prediction) continue;
    held_out.push_back({measured.what, *prediction, step.seconds()});
  }
  calibrate_by_other_models(held_out);
  return held_out;
}

HoldOutScore score_of(const std::vector<HeldOutCase>& cases) {
  HoldOutScore score;
  std::vector<double> errors;
  std::map<std::string, statistics::Tally> models;
  for (const HeldOutCase& one : cases) {
    errors.push_back(std::abs(one.error()));
    const std::size_t inside = one.is_inside() ? 1 : 0;
    score.inside += inside;
    models[one.what.model].asked += 1;
    models[one.what.model].came_true += inside;
  }
  score.coverage = statistics::share_interval(models);
  score.median_error = statistics::median(errors);
  score.highest_error = statistics::highest(errors);
  return score;
}

}  // namespace breakeven::predict
