// SPDX-License-Identifier: Apache-2.0
#include "src/predict/folds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/configuration.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

bool is_single(const Observation* one) { return one->what.gpus == 1; }

// Leaves out the launches that `is_taken` refuses, then the observations that have no launch any more.
std::vector<Observation> in_launches(std::vector<Observation> all,
                                     const std::function<bool(std::uint32_t)>& is_taken) {
  for (Observation& one : all) {
    std::erase_if(one.in_launch, [&](const auto& launch) { return !is_taken(launch.first); });
    std::vector<double> seconds;
    for (const auto& [launch, mean] : one.in_launch) seconds.push_back(mean);
    one.seconds = statistics::mean(seconds);
    one.half_width = log_half_width(statistics::mean_interval(seconds));
  }
  std::erase_if(all, [](const Observation& one) { return one.in_launch.empty(); });
  return all;
}

using Key = std::string (*)(const Case&);  // of a case
std::string model_of(const Case& what) { return what.model; }
std::string batch_of(const Case& what) { return fmt::format("{:010}", what.batch); }

// Of `own` each in turn, with what `known` has without it.
std::vector<Fold> folds_by(Key key, const std::vector<Observation>& own,
                           const std::vector<Observation>& known) {
  std::map<std::string, std::vector<Observation>> parts;
  for (const Observation& one : own) parts[key(one.what)].push_back(one);
  std::vector<Fold> folds;
  if (parts.size() < 2) return folds;
  for (auto& [value, asked] : parts) {
    const auto is_held_out = [&, held_out = value](const Case& what) { return key(what) == held_out; };
    folds.push_back({value, without(known, is_held_out), std::move(asked)});
  }
  return folds;
}

std::vector<Fold> folds_by_launch_and(Key key, const std::vector<Observation>& all) {
  std::set<std::uint32_t> launches;
  for (const Observation& one : all)
    for (const auto& [launch, seconds] : one.in_launch) launches.insert(launch);
  std::vector<Fold> folds;
  if (launches.size() < 2) return folds;
  for (const std::uint32_t launch : launches)
    std::ranges::move(folds_by(key, in_launches(all, [&](std::uint32_t one) { return one == launch; }),
                               in_launches(all, [&](std::uint32_t one) { return one != launch; })),
                      std::back_inserter(folds));
  return folds;
}

}  // namespace

std::string_view name_of(HeldOutBy by) {
  constexpr std::array<std::string_view, 5> names{"model", "batch", "launch and model", "launch and batch",
                                                  "launch"};
  return names[static_cast<std::size_t>(by)];
}

std::vector<Cell> cells_of(const std::vector<Observation>& observations) {
  using Place = std::tuple<std::string, std::uint32_t, Level<Precision>>;
  std::map<Place, Cell> cells;
  for (const Observation& one : observations)
    if (is_exact(one.what) && is_configuration(one.what))
      cells[{one.what.model, one.what.batch, one.what.precision}].push_back(&one);
  std::vector<Cell> found;
  for (auto& [place, cell] : cells)
    if (std::ranges::any_of(cell, is_single) && !std::ranges::all_of(cell, is_single))
      found.push_back(std::move(cell));
  return found;
}

std::vector<Cell> Fold::cells() const { return cells_of(asked); }

double fastest_single_seconds(const Cell& cell) {
  double least = std::numeric_limits<double>::infinity();
  for (const Observation* one : cell)
    if (is_single(one)) least = std::min(least, one->seconds);
  return least;
}

double fastest_single_seconds(const Cell& cell, std::uint32_t launch) {
  double least = std::numeric_limits<double>::infinity();
  for (const Observation* one : cell)
    if (is_single(one) && one->in_launch.contains(launch)) least = std::min(least, one->in_launch.at(launch));
  return least;
}

std::vector<Fold> folds_of(const StepModel& all, HeldOutBy by) {
  const std::vector<Observation> observations = observations_of(all.families());
  if (observations.empty()) return {};
  if (by == HeldOutBy::model) return folds_by(model_of, observations, observations);
  if (by == HeldOutBy::batch) return folds_by(batch_of, observations, observations);
  if (by == HeldOutBy::launch_and_model) return folds_by_launch_and(model_of, observations);
  if (by == HeldOutBy::launch_and_batch) return folds_by_launch_and(batch_of, observations);
  return {};
}

}  // namespace breakeven::predict
