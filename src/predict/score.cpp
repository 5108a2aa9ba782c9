// SPDX-License-Identifier: Apache-2.0
#include "src/predict/score.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

using Cell = std::tuple<std::string, std::uint32_t, Level<Precision>>;  // model, batch, precision
using Observations = std::vector<const Observation*>;

// Of exact strategies, where one GPU and more were measured.
std::map<Cell, Observations> cells_of(const StepModel& model) {
  std::map<Cell, Observations> cells;
  for (const StepModel::Family& family : model.families()) {
    const StrategyChoice strategy = strategy_of_case(family.key);
    if (strategy.info->traits.copies || !strategy.info->promise(strategy.options).exact) continue;
    for (const Observation& one : family.observations)
      if (one.what.scaling != Scaling::weak && is_configuration(one.what))
        cells[{one.what.model, one.what.batch, one.what.precision}].push_back(&one);
  }
  const auto on_one = [](const Observation* one) { return one->what.gpus == 1; };
  std::erase_if(cells, [&](const auto& cell) {
    return std::ranges::none_of(cell.second, on_one) || std::ranges::all_of(cell.second, on_one);
  });
  return cells;
}

StepModel without_model(const StepModel& all, const std::string& model) {
  std::vector<Observation> others;
  for (const StepModel::Family& family : all.families())
    std::ranges::copy_if(family.observations, std::back_inserter(others),
                         [&](const Observation& one) { return one.what.model != model; });
  return StepModel(std::move(others));
}

const Observation* fastest(const Observations& measured) {
  return *std::ranges::min_element(measured, {}, [](const Observation* one) { return one->seconds; });
}

const Observation* by_prediction(const Observations& measured, const StepModel& model) {
  const Observation* best = nullptr;
  double least = 0;
  for (const Observation* one : measured) {
    const auto prediction = model.predict(one->what, one->terms);
    if (!prediction || (best != nullptr && prediction->seconds >= least)) continue;
    best = one;
    least = prediction->seconds;
  }
  return best;
}

const Observation* by_rule(const Observations& measured, RuleAnswer answer) {
  if (answer == RuleAnswer::measure) return nullptr;
  const Observation* best = nullptr;
  for (const Observation* one : measured) {
    const bool taken = answer == RuleAnswer::single_gpu ? analysis::is_single_gpu(one->what)
                                                        : one->what.gpus > 1 && one->what.strategy == "ddp";
    if (taken && (best == nullptr || one->what.gpus > best->what.gpus)) best = one;
  }
  return best;
}

void add(const Observations& measured, const Observation* choice, analysis::SelectorScore& score) {
  score.asked += 1;
  if (choice == nullptr) score.no_answer += 1;
  const Observation* taken = choice != nullptr ? choice : by_rule(measured, RuleAnswer::single_gpu);
  if (taken == nullptr) return;
  const double regret = taken->seconds / fastest(measured)->seconds - 1;
  score.regrets.push_back(regret);
  if (choice != nullptr && regret <= statistics::practical_equivalence) score.right += 1;
}

}  // namespace

SelectorScores score_selectors(const Advisor& advisor) {
  SelectorScores scores;
  std::map<std::string, StepModel> held_out;
  for (const auto& [cell, measured] : cells_of(advisor.model())) {
    const auto& [model, batch, precision] = cell;
    if (!held_out.contains(model)) held_out.emplace(model, without_model(advisor.model(), model));
    add(measured, by_prediction(measured, held_out.at(model)), scores.advisor);
    const std::uint64_t parameters = std::get<ModelShape>(parse_model(model)).parameters();
    add(measured, by_rule(measured, static_rule(parameters, batch)), scores.static_rule);
  }
  return scores;
}

}  // namespace breakeven::predict
