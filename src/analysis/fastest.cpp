// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/fastest.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/statistics/paired_ratio.h"

namespace breakeven::analysis {
namespace {

// The settings that `auto` does not choose.
bool are_settings_alike(const Case& a, const Case& b) {
  using enum Axis;
  return are_alike(a, b, {model, batch, precision, gemm, scaling, data});
}

bool was_candidate(const Case& what, const RecordedRun& run) {
  return std::ranges::any_of(run.candidates, [&](const AutoCandidate& candidate) {
    return candidate.strategy == what.strategy && candidate.gpus == what.gpus;
  });
}

// `auto` chooses among strategies over one transport. One GPU has none.
bool are_over_one_transport(const Case& a, const Case& b) {
  return a.transport == b.transport || a.transport == Transport::none || b.transport == Transport::none;
}

bool is_rival(const MeasuredCase& other, const ChoiceReview& review) {
  const Case& what = other.what;
  return what.chosen.empty() && are_settings_alike(what, review.measured->what) &&
         are_over_one_transport(what, review.measured->what) &&
         (was_candidate(what, *review.run) || is_exact(what));
}

// A case of `auto`, with runs done.
bool is_choice(const MeasuredCase& measured) {
  return !measured.what.chosen.empty() && !measured.timed().done.empty();
}

ChoiceReview review_choice(const MeasuredCase& measured, const std::vector<MeasuredCase>& cases) {
  ChoiceReview review{.measured = &measured, .run = measured.timed().done.front()};
  std::vector<const MeasuredCase*> rivals;
  std::vector<Comparison> comparisons;
  for (const MeasuredCase& other : cases) {
    if (!is_rival(other, review)) continue;
    Comparison comparison = compare_cases(other, measured);
    if (comparison.blocks.empty()) continue;
    rivals.push_back(&other);
    comparisons.push_back(std::move(comparison));
  }
  if (rivals.empty()) return review;
  std::vector<std::vector<statistics::PairedBlock>> blocks;
  for (const Comparison& comparison : comparisons) blocks.push_back(comparison.blocks);
  const std::optional<statistics::Winner> winner = statistics::choose_best(blocks);
  const std::size_t place = winner ? winner->rival : 0;
  review.fastest = rivals[place];
  // One block alone has an interval by its steps.
  const bool has_interval = winner && winner->speedup.ratio.has_bounds();
  review.advantage = has_interval ? winner->speedup : comparisons[place].speedup;
  return review;
}

}  // namespace

std::vector<FastestConfiguration> fastest_configurations(const CaseResults& lines) {
  std::map<std::pair<std::uint32_t, Level<Scaling>>, std::vector<const CaseResult*>> by_batch;
  for (const CaseResult& line : lines) {
    const Case& what = line.measured->what;
    // Independent copies do not train one model. What `auto` chose is one of the rivals already.
    if (!traits_of(what).copies && what.chosen.empty()) by_batch[{what.batch, what.scaling}].push_back(&line);
  }
  std::vector<FastestConfiguration> configs;
  for (const auto& [place, of_batch] : by_batch) {
    std::vector<std::vector<statistics::PairedBlock>> rivals;
    for (const CaseResult* line : of_batch) rivals.push_back(line->comparison.blocks);
    if (const auto winner = statistics::choose_best(rivals))
      configs.push_back({.line = of_batch[winner->rival], .speedup = winner->speedup, .lead = winner->lead});
  }
  return configs;
}

std::vector<JudgedChoice> judge_choices(const std::vector<const MeasuredCase*>& some,
                                        const std::vector<MeasuredCase>& cases) {
  std::vector<JudgedChoice> all;
  std::vector<statistics::RatioEstimate> advantages;
  for (const MeasuredCase* measured : some) {
    if (!is_choice(*measured)) continue;
    all.push_back({review_choice(*measured, cases), {}});
    advantages.push_back(all.back().review.advantage);
  }
  const std::vector<statistics::Decision> decisions = decide_together(advantages);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].decision = decisions[i];
  return all;
}

bool chose_fastest(const ChoiceReview& review) {
  const Case& what = review.measured->what;
  return review.fastest != nullptr && review.fastest->what.strategy == what.chosen &&
         review.fastest->what.gpus == what.gpus;
}

SelectorScore score_choices(const std::vector<MeasuredCase>& cases) {
  SelectorScore score;
  for (const MeasuredCase& measured : cases) {
    if (!is_choice(measured)) continue;
    const ChoiceReview review = review_choice(measured, cases);
    if (review.run->candidates.size() < 2 || review.fastest == nullptr) continue;
    const double regret = chose_fastest(review) ? 0 : review.advantage.ratio.centre - 1;
    score.asked += 1;
    score.regrets.push_back(regret);
    if (regret <= statistics::practical_equivalence) score.right += 1;
  }
  return score;
}

double steps_to_earn(double choosing_seconds, double own, double other) {
  const double gain = other - own;
  if (gain != gain) return not_measured;
  return gain > 0 ? choosing_seconds / gain : std::numeric_limits<double>::infinity();
}

double measured_seconds(const ChoiceReview& review, const std::string& strategy, int gpus,
                        const std::vector<MeasuredCase>& cases) {
  for (const MeasuredCase& other : cases) {
    const Case& what = other.what;
    const double seconds = other.timed().step.mean_seconds;
    if (are_settings_alike(what, review.measured->what) &&
        are_over_one_transport(what, review.measured->what) && what.strategy == strategy &&
        what.gpus == gpus && seconds > 0)
      return seconds;
  }
  return not_measured;
}

double seconds_of_configuration(const ChoiceReview& review, const std::string& strategy, int gpus,
                                const std::vector<MeasuredCase>& cases) {
  const double seconds = measured_seconds(review, strategy, gpus, cases);
  if (seconds > 0) return seconds;
  for (const AutoCandidate& candidate : review.run->candidates)
    if (candidate.strategy == strategy && candidate.gpus == gpus) return candidate.probed_seconds;
  return not_measured;
}

}  // namespace breakeven::analysis
