// SPDX-License-Identifier: Apache-2.0
#include "src/predict/score.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <boost/math/distributions/binomial.hpp>

#include "src/predict/launch_errors.h"

namespace breakeven::predict {
namespace {

const Observation* fastest_of(const Cell& cell, bool on_more) {
  const Observation* best = nullptr;
  for (const Observation* one : cell)
    if ((one->what.gpus > 1) == on_more && (best == nullptr || one->seconds < best->seconds)) best = one;
  return best;
}

void add_coverage(const std::string& unit, const statistics::Interval& predicted, double measured,
                  Coverage& coverage) {
  if (!std::isfinite(measured)) return;
  const std::size_t inside = predicted.low <= measured && measured <= predicted.high ? 1 : 0;
  coverage.asked += 1;
  coverage.inside += inside;
  coverage.units[unit].asked += 1;
  coverage.units[unit].came_true += inside;
  coverage.half_widths.push_back(std::log(predicted.high / predicted.low) / 2);
  const statistics::Payoff verdict = statistics::verdict_of(predicted);
  const bool pays = verdict == statistics::Payoff::pays;
  if (!pays && verdict != statistics::Payoff::does_not_pay) return;
  coverage.decided += 1;
  if (pays != (measured > 1)) coverage.wrong += 1;
}

void add_coverage(const std::string& unit, const Cell& cell, const ModelSelector& advise,
                  Coverage& coverage) {
  const std::vector<statistics::Interval> speedups = advise.speedups(cell);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i]->what.gpus == 1 || !speedups[i].has_bounds()) continue;
    for (const auto& [launch, seconds] : cell[i]->in_launch)
      add_coverage(unit, speedups[i], fastest_single_seconds(cell, launch) / seconds, coverage);
  }
}

void add_choice(const Cell& cell, const Observation* choice, HeldOutScore& score) {
  const Observation *on_one = fastest_of(cell, false), *on_more = fastest_of(cell, true);
  const Observation* taken = choice != nullptr ? choice : on_one;
  const double regret = taken->seconds / std::min(on_one->seconds, on_more->seconds) - 1;
  const bool is_right = choice != nullptr && regret <= statistics::practical_equivalence;
  const double gain = on_one->seconds / on_more->seconds;
  const bool are_same = std::abs(gain - 1) <= statistics::practical_equivalence;
  score.choices.asked += 1;
  score.choices.no_answer += choice == nullptr ? 1 : 0;
  score.choices.regrets.push_back(regret);
  score.choices.right += is_right ? 1 : 0;
  score.is_right.push_back(is_right);
  if (choice != nullptr && (are_same || (choice->what.gpus > 1) == (gain > 1))) score.right_verdicts += 1;
}

void add_errors(const Cell& cell, const std::vector<double>& log_speedups, HeldOutScore& score) {
  const double single = fastest_single_seconds(cell);
  for (std::size_t i = 0; i < log_speedups.size(); ++i) {
    const double error = log_speedups[i] - std::log(single / cell[i]->seconds);
    if (cell[i]->what.gpus > 1 && !std::isnan(error)) score.log_errors.push_back(error);
  }
}

void add_fold(const Fold& fold, HeldOutReview& review) {
  const std::vector<Cell> cells = fold.cells();
  if (cells.empty() || cells_of(fold.known).empty()) return;
  for (std::size_t kind = 0; kind < selector_kinds().size(); ++kind) {
    const auto selector = selector_kinds()[kind].learn(fold.known);
    for (const Cell& cell : cells) {
      add_choice(cell, selector->choose(cell), review.scores[kind]);
      add_errors(cell, selector->log_speedups(cell), review.scores[kind]);
      if (const auto* advise = dynamic_cast<const ModelSelector*>(selector.get()))
        add_coverage(fold.unit, cell, *advise, review.coverage);
    }
  }
}

HeldOutReview review_of_launches(const StepModel& model) {
  HeldOutReview review{.by = HeldOutBy::launch, .coverage = {}, .scores = {}};
  predict_held_out_launches(
      observations_of(model.families()),
      [&](std::uint32_t launch, const statistics::Interval& predicted, double measured) {
        add_coverage(std::to_string(launch), predicted, measured, review.coverage);
      });
  return review;
}

}  // namespace

std::vector<HeldOutReview> review_held_out(const StepModel& model) {
  std::vector<HeldOutReview> reviews;
  for (const HeldOutBy by :
       {HeldOutBy::model, HeldOutBy::batch, HeldOutBy::launch_and_model, HeldOutBy::launch_and_batch}) {
    HeldOutReview review{.by = by, .coverage = {}, .scores = {}};
    for (const SelectorKind& kind : selector_kinds())
      review.scores.push_back(
          {.by = by, .selector = kind.name, .choices = {}, .log_errors = {}, .is_right = {}});
    for (const Fold& fold : folds_of(model, by)) add_fold(fold, review);
    if (review.scores.front().choices.asked > 0) reviews.push_back(std::move(review));
  }
  HeldOutReview of_launches = review_of_launches(model);
  if (of_launches.coverage.asked > 0) reviews.push_back(std::move(of_launches));
  return reviews;
}

double difference_by_chance(const HeldOutScore& one, const HeldOutScore& other) {
  std::size_t only_one = 0, only_other = 0;
  for (std::size_t i = 0; i < one.is_right.size(); ++i) {
    only_one += one.is_right[i] && !other.is_right[i] ? 1 : 0;
    only_other += other.is_right[i] && !one.is_right[i] ? 1 : 0;
  }
  const auto differ = static_cast<double>(only_one + only_other);
  if (differ == 0) return 1;
  const auto fewer = static_cast<double>(std::min(only_one, only_other));
  return std::min(1.0, 2 * cdf(boost::math::binomial(differ, 0.5), fewer));
}

}  // namespace breakeven::predict
