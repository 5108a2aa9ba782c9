// SPDX-License-Identifier: Apache-2.0
#include "src/predict/held_out_errors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "src/core/axes.h"
#include "src/core/model/model_shape.h"
#include "src/statistics/clusters.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

constexpr double reach = 2;  // in the logarithms: where the weight has fallen to 1 / e
constexpr double weight_of_mean = 2;

constexpr std::size_t fewest_models = 6;

using Unit = std::pair<std::string, std::uint32_t>;
Unit unit_at(const Case& what, ErrorUnit unit) {
  return {what.model, unit == ErrorUnit::cell ? what.batch : 0};
}

double size_of(const PlacedError& error) { return std::abs(error.log_error) / error.scale; }

std::vector<PlacedError> but_for(const Unit& place, std::vector<PlacedError> errors, ErrorUnit unit) {
  std::erase_if(errors, [&](const PlacedError& one) { return unit_at(one.what, unit) == place; });
  return errors;
}

}  // namespace

void HeldOut::add(double log_error, double scale) {
  log_errors.push_back(log_error);
  scales.push_back(scale);
}

std::vector<double> HeldOut::known() const {
  std::vector<double> errors = log_errors;
  std::erase_if(errors, [](double error) { return std::isnan(error); });
  return errors;
}

double HeldOut::median() const {
  std::vector<double> sizes = known();
  for (double& error : sizes) error = std::abs(error);
  return statistics::median(sizes);
}

double HeldOut::half_width() const { return statistics::error_half_width(known()); }

double HeldOut::half_width_at(double scale) const {
  HeldOut at_one;
  for (std::size_t i = 0; i < log_errors.size(); ++i) at_one.add(log_errors[i] / scales[i], 1);
  return scale * at_one.half_width();
}

bool is_same_family(const Case& one, const Case& other) {
  using enum Axis;
  return are_alike(one, other, {strategy, precision, gemm, transport, nccl, graph, data});
}

LocalErrors::LocalErrors(const std::vector<PlacedError>& errors, ErrorUnit unit, const ErrorsWithout& without)
    : usual_(errors) {
  std::map<Unit, std::vector<PlacedError>> units;
  for (const PlacedError& one : errors)
    if (std::isfinite(size_of(one))) units[unit_at(one.what, unit)].push_back(one);
  std::vector<statistics::Cluster> clusters;
  std::vector<double> quotients;
  for (const auto& [place, of_unit] : units) {
    const UsualSizes others(without ? without(of_unit.front().what) : but_for(place, errors, unit));
    statistics::Cluster cluster;
    for (const PlacedError& one : of_unit) {
      const double usual = others.at(one.what);
      if (!std::isnan(usual)) cluster.push_back(usual > 0 ? size_of(one) / usual : 0);
    }
    if (cluster.empty()) continue;
    quotients.insert(quotients.end(), cluster.begin(), cluster.end());
    clusters.push_back(std::move(cluster));
  }
  const bool has_enough =
      clusters.size() >= (unit == ErrorUnit::cell ? statistics::fewest_for_conformal : fewest_models);
  quantile_ = has_enough ? statistics::error_half_width(quotients) : statistics::error_half_width(clusters);
}

LocalErrors::UsualSizes::UsualSizes(const std::vector<PlacedError>& errors) {
  for (const PlacedError& one : errors) {
    if (!std::isfinite(size_of(one))) continue;
    Place place = place_of(one.what);
    if (place.family == families_.size()) families_.push_back(one.what);
    errors_.push_back({std::move(place), size_of(one)});
  }
}

LocalErrors::UsualSizes::Place LocalErrors::UsualSizes::place_of(const Case& what) const {
  const auto family =
      std::ranges::find_if(families_, [&](const Case& known) { return is_same_family(known, what); });
  return {static_cast<std::size_t>(family - families_.begin()), what.model,
          std::log(double(what.model.value().parameters())), std::log(double(what.batch))};
}

double LocalErrors::UsualSizes::at(const Case& what) const {
  const Place place = place_of(what);
  double all = 0, count = 0, near = 0, weights = 0;
  for (const auto& [other, size] : errors_) {
    if (place.family < families_.size() && other.family != place.family) continue;
    all += size;
    count += 1;
    if (other.model == place.model) continue;
    const double distance =
        std::abs(other.log_parameters - place.log_parameters) + std::abs(other.log_batch - place.log_batch);
    const double weight = std::exp(-distance / reach);
    near += weight * size;
    weights += weight;
  }
  return (weight_of_mean * all / count + near) / (weight_of_mean + weights);
}

}  // namespace breakeven::predict
