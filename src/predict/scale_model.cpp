// SPDX-License-Identifier: Apache-2.0
#include "src/predict/scale_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "src/predict/meshes.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

analysis::ExchangeTime no_exchange(const std::vector<Message>&) { return {}; }

// Other settings of NCCL make another transport.
std::string name_of_transport(const Level<Transport>& transport, const std::string& nccl_settings) {
  const std::string word(transport.word());
  return transport == Transport::nccl && !nccl_settings.empty() ? word + ", " + nccl_settings : word;
}
std::string name_of_transport(const Case& what) { return name_of_transport(what.transport, what.nccl); }

bool measured_roofline(const Launch& launch) {
  return !launch.roofline.empty() && launch.roofline.front().copy_bytes_per_second > 0;
}

}  // namespace

ScaleModel::ScaleModel(const analysis::FileAnalysis& analysis, Machine machine, int most_gpus)
    : analysis_(analysis),
      machine_(std::move(machine)),
      most_gpus_(most_gpus > 0 ? most_gpus : std::numeric_limits<int>::max()) {
  for (std::size_t place = 0; place < probed_transports.size(); ++place) {
    const Transport transport = transport_at(place);
    for (const Launch& launch : analysis.results().launches) {
      auto costs = calls_of(launch, transport);
      if (!costs) continue;
      transports_.insert_or_assign(name_of_transport(transport, nccl_settings_of(launch)),
                                   TransportModel{Network(machine_, transport, std::move(*costs)),
                                                  check_calls(launch.message_times, transport, most_gpus_)});
    }
  }
  has_roofline_ = std::ranges::all_of(analysis.results().launches, measured_roofline);
  model_.emplace(
      observations_of(analysis, [this](const analysis::MeasuredCase& measured, const Launch& launch) {
        return terms_as_measured(measured, launch);
      }));
}

// The first rank stands for all.
Roofline ScaleModel::roofline_of(const Launch& launch) const {
  if (measured_roofline(launch)) return launch.roofline.front();
  return stand_in_roofline(cases());
}

// If no call was measured, from the links between GPUs, for files whose cases use NCCL.
std::optional<CallCosts> ScaleModel::calls_of(const Launch& launch, Transport transport) const {
  auto costs = fit_calls(launch.message_times, transport, most_gpus_);
  const auto goes_over_nccl = [](const analysis::MeasuredCase& measured) {
    return measured.what.transport == Transport::nccl;
  };
  if (!costs && transport == Transport::nccl && std::ranges::any_of(cases(), goes_over_nccl))
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
  const Network network(machine_as_measured(), transport, costs.value_or(CallCosts{}));
  return terms_of_case(what, roofline_of(launch), clock_of(network, what));
}

std::optional<StepTerms> ScaleModel::terms_of(const Case& what) const {
  const Roofline roofline = roofline_of(analysis_.results().launches.back());
  if (what.gpus == 1 || what.transport == Transport::none) return terms_of_case(what, roofline, no_exchange);
  const TransportModel* const transport = transport_of(what);
  if (transport == nullptr) return std::nullopt;
  return terms_of_case(what, roofline, clock_of(transport->network, what));
}

const TransportModel* ScaleModel::transport_of(const Case& what) const {
  const auto found = transports_.find(name_of_transport(what));
  return found == transports_.end() ? nullptr : &found->second;
}

std::optional<Prediction> ScaleModel::predict_by(const StepModel::Family& family, const Case& what) const {
  const auto terms = terms_of(what);
  if (!terms) return std::nullopt;
  const auto as_measured = [&](const Observation& one) { return one.what.gpus == what.gpus; };
  if (what.strategy == family.key.strategy && std::ranges::any_of(family.observations, as_measured))
    return model_->predict(what, *terms);
  const TransportModel* const transport = transport_of(what);
  const ExchangeWarning warning = transport != nullptr ? warning_of(*transport, what) : ExchangeWarning{};
  return extrapolate(family, what, *terms, warning);
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
  for (const std::string& form : forms_on(family.key.strategy, like.gpus)) {
    like.strategy = form;
    if (std::ranges::find(configs, like, &Configuration::what) != configs.end() || !is_possible(like))
      continue;
    const auto prediction = predict_by(family, like);
    if (!prediction) continue;
    if (auto config = configuration_of(like, query, prediction, cases()))
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
      add_configurations(family, query, like, count == 1 ? singles : configs);
    }
  }
  if (gpus == 1) configs = singles;
  compare_with_single(configs, singles);
  sort_by_speed(configs);
  return configs;
}

std::vector<HeldOutCase> predict_held_out(const ScaleModel& model, int gpus) {
  std::vector<HeldOutCase> held_out;
  for (const analysis::MeasuredCase& measured : model.cases()) {
    const analysis::StepTimes& step = measured.timed().step;
    if (measured.what.gpus != gpus || !(step.mean_seconds > 0)) continue;
    const auto prediction = model.predict(measured.what);
    if (!prediction) continue;
    held_out.push_back({measured.what, *prediction, step.seconds()});
  }
  return held_out;
}

HoldOutScore score_of(const std::vector<HeldOutCase>& cases) {
  HoldOutScore score;
  std::vector<double> errors;
  for (const HeldOutCase& one : cases) {
    errors.push_back(std::abs(one.error()));
    if (one.is_inside()) score.inside += 1;
  }
  score.median_error = statistics::median(errors);
  score.highest_error = statistics::highest(errors);
  return score;
}

}  // namespace breakeven::predict
