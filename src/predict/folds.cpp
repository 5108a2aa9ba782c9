// SPDX-License-Identifier: Apache-2.0
#include "src/predict/folds.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/configuration.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

std::vector<Observation> observations_of(const StepModel& model) {
  std::vector<Observation> all;
  for (const StepModel::Family& family : model.families())
    std::ranges::copy(family.observations, std::back_inserter(all));
  return all;
}

bool is_single(const Observation* one) { return one->what.gpus == 1; }

// Leaves out the launches that `is_taken` refuses, then the observations that have no launch any more.
std::vector<Observation> in_launches(std::vector<Observation> all,
                                     const std::function<bool(std::uint32_t)>& is_taken) {
  for (Observation& one : all) {
    std::erase_if(one.in_launch, [&](const auto& launch) { return !is_taken(launch.first); });
    std::vector<double> seconds;
    for (const auto& [launch, mean] : one.in_launch) seconds.push_back(mean);
    one.seconds = statistics::mean(seconds);
  }
  std::erase_if(all, [](const Observation& one) { return one.in_launch.empty(); });
  return all;
}

template <typename IsHeldOut>
Fold fold_of(const std::vector<Observation>& all, IsHeldOut is_held_out) {
  Fold fold;
  for (const Observation& one : all) (is_held_out(one.what) ? fold.asked : fold.known).push_back(one);
  return fold;
}

template <typename Key>  // of a case
std::vector<Fold> folds_by(const std::vector<Observation>& all, Key key) {
  std::set<decltype(key(all.front().what))> values;
  for (const Observation& one : all) values.insert(key(one.what));
  std::vector<Fold> folds;
  if (values.size() < 2) return folds;
  for (const auto& value : values)
    folds.push_back(fold_of(all, [&](const Case& what) { return key(what) == value; }));
  return folds;
}

std::string model_of(const Case& what) { return what.model; }
std::uint32_t batch_of(const Case& what) { return what.batch; }

std::vector<Fold> folds_by_launch_and_model(const std::vector<Observation>& all) {
  std::set<std::uint32_t> launches;
  for (const Observation& one : all)
    for (const auto& [launch, seconds] : one.in_launch) launches.insert(launch);
  std::vector<Fold> folds;
  if (launches.size() < 2) return folds;
  for (const std::uint32_t launch : launches) {
    const auto others = in_launches(all, [&](std::uint32_t one) { return one != launch; });
    const auto own = in_launches(all, [&](std::uint32_t one) { return one == launch; });
    const std::vector<Fold> of_own = folds_by(own, model_of);
    for (const Fold& fold : of_own) {
      const std::string model = fold.asked.front().what.model;
      folds.push_back(
          {fold_of(others, [&](const Case& what) { return what.model == model; }).known, fold.asked});
    }
  }
  return folds;
}

}  // namespace

std::string_view name_of(HeldOutBy by) {
  constexpr std::array<std::string_view, 3> names{"model", "batch", "launch and model"};
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
  const std::vector<Observation> observations = observations_of(all);
  if (observations.empty()) return {};
  if (by == HeldOutBy::model) return folds_by(observations, model_of);
  if (by == HeldOutBy::batch) return folds_by(observations, batch_of);
  return folds_by_launch_and_model(observations);
}

}  // namespace breakeven::predict
