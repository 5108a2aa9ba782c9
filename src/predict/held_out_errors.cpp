// SPDX-License-Identifier: Apache-2.0
#include "src/predict/held_out_errors.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "src/core/axes.h"
#include "src/core/model/model_shape.h"
#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

constexpr double reach = 2;  // in the logarithms: where the weight has fallen to 1 / e
constexpr double weight_of_mean = 2;

constexpr std::size_t fewest_models = 6;

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

LocalErrors::LocalErrors(const std::vector<PlacedError>& errors, ErrorUnit unit) {
  std::set<std::pair<std::string, std::uint32_t>> units;
  for (const PlacedError& one : errors) {
    const double size = std::abs(one.log_error) / one.scale;
    if (!std::isfinite(size)) continue;
    if (place_of(one.what).family == families_.size()) families_.push_back(one.what);
    units.emplace(one.what.model, unit == ErrorUnit::cell ? one.what.batch : 0);
    errors_.push_back({place_of(one.what), size});
  }
  std::vector<double> quotients;
  for (const Error& one : errors_) {
    const double usual = usual_size(one.place);
    quotients.push_back(usual > 0 ? one.size / usual : 0);
  }
  const bool has_enough =
      units.size() >= (unit == ErrorUnit::cell ? statistics::fewest_for_conformal : fewest_models);
  if (has_enough)
    quantile_ = statistics::error_half_width(quotients);
  else if (units.size() >= statistics::fewest_for_interval)
    quantile_ = statistics::t_quantile(units.size()) * statistics::root_mean_square(quotients);
}

LocalErrors::Place LocalErrors::place_of(const Case& what) const {
  const auto family =
      std::ranges::find_if(families_, [&](const Case& known) { return is_same_family(known, what); });
  return {static_cast<std::size_t>(family - families_.begin()), what.model,
          std::log(double(what.model.value().parameters())), std::log(double(what.batch))};
}

double LocalErrors::usual_size(const Place& place) const {
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

double LocalErrors::half_width(const Case& what) const { return quantile_ * usual_size(place_of(what)); }

}  // namespace breakeven::predict
