// SPDX-License-Identifier: Apache-2.0
#include "src/predict/launch_errors.h"

#include <cmath>
#include <map>
#include <set>

#include "src/predict/held_out_errors.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

struct MeasuredSpeedups {
  Case what;
  std::map<std::uint32_t, double> logs;  // by launch
};

std::vector<MeasuredSpeedups> speedups_of(const std::vector<Observation>& observations) {
  std::vector<MeasuredSpeedups> all;
  for (const Cell& cell : cells_of(observations)) {
    for (const Observation* one : cell) {
      if (one->what.gpus == 1) continue;
      MeasuredSpeedups found{one->what, {}};
      for (const auto& [launch, seconds] : one->in_launch) {
        const double log = std::log(fastest_single_seconds(cell, launch) / seconds);
        if (std::isfinite(log)) found.logs.emplace(launch, log);
      }
      all.push_back(std::move(found));
    }
  }
  return all;
}

// Of a launch's speed-up, from the others.
struct FromOthers {
  double log = 0;
  double scale = 0;  // of its error
};

FromOthers from_others(std::map<std::uint32_t, double> logs, std::uint32_t launch) {
  logs.erase(launch);
  std::vector<double> values;
  for (const auto& [other, log] : logs) values.push_back(log);
  return {statistics::mean(values), std::sqrt(1 + 1 / static_cast<double>(values.size()))};
}

LocalErrors errors_without(std::uint32_t launch, std::vector<MeasuredSpeedups> all) {
  std::vector<PlacedError> errors;
  for (MeasuredSpeedups& one : all) {
    one.logs.erase(launch);
    if (one.logs.size() < 2) continue;
    for (const auto& [known, log] : one.logs) {
      const FromOthers predicted = from_others(one.logs, known);
      errors.push_back({one.what, log - predicted.log, predicted.scale});
    }
  }
  return {errors, ErrorUnit::cell};
}

}  // namespace

void predict_held_out_launches(
    const std::vector<Observation>& observations,
    const std::function<void(std::uint32_t launch, const statistics::Interval& predicted, double measured)>&
        take) {
  const std::vector<MeasuredSpeedups> all = speedups_of(observations);
  std::set<std::uint32_t> launches;
  for (const MeasuredSpeedups& one : all)
    for (const auto& [launch, log] : one.logs) launches.insert(launch);
  for (const std::uint32_t launch : launches) {
    const LocalErrors errors = errors_without(launch, all);
    for (const MeasuredSpeedups& one : all) {
      if (!one.logs.contains(launch) || one.logs.size() < 2) continue;
      const FromOthers predicted = from_others(one.logs, launch);
      const double half_width = predicted.scale * errors.half_width(one.what);
      const statistics::Interval logs{predicted.log, predicted.log - half_width, predicted.log + half_width};
      if (logs.has_bounds()) take(launch, statistics::exponential(logs), std::exp(one.logs.at(launch)));
    }
  }
}

}  // namespace breakeven::predict
