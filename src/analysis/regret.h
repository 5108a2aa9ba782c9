// SPDX-License-Identifier: Apache-2.0
// How good a choice of `auto` was, by what was measured beside it.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/comparison.h"

namespace breakeven::analysis {

// Seconds are of a step; NaN where not measured.
struct ChoiceReview {
  const MeasuredCase* measured = nullptr;  // the case of `auto`
  const RecordedRun* run = nullptr;        // any of its runs: the candidates, and what choosing took
  // The fastest way measured for the same model, batch and settings; null: none was, beside the choice.
  const MeasuredCase* fastest = nullptr;
  RatioEstimate advantage = {};  // its samples a second over those of the choice: 1 + regret
  bool by_half = false;          // by the repeats (launches) that did not choose the fastest
};

// The rivals are the ways that were candidates and all that compute what one GPU computes, without
// unconnected copies. The fastest is chosen by half of the blocks that it shares with the choice, and its
// advantage is of the other half (selection.h), or of all of them where that half has too few for an
// interval. Null `fastest` where no rival shares a block.
ChoiceReview review_choice(const MeasuredCase& measured, const std::vector<MeasuredCase>& cases);

// A review beside the decision on its advantage.
struct JudgedChoice {
  ChoiceReview review;
  Decision decision;
};

// Of those of `some` that `auto` chose; `cases` are all of the file. Their verdicts hold together.
std::vector<JudgedChoice> judge_choices(const std::vector<const MeasuredCase*>& some,
                                        const std::vector<MeasuredCase>& cases);

// How often a selector is right: `auto`, or one of score.h (src/predict).
struct SelectorScore {
  std::size_t asked = 0;      // model, batch and precision with a single GPU and more measured
  std::size_t right = 0;      // the choice is within practical_equivalence of the fastest
  std::size_t no_answer = 0;  // it says that this has to be measured: not right, and one GPU is what one has
  std::vector<double> regrets;  // of all asked: seconds of the choice / of the fastest - 1
};

// How often the choices of a file were right, as for other selectors: of those that had one to make and
// rivals measured beside them.
SelectorScore score_choices(const std::vector<MeasuredCase>& cases);

// Whether the fastest way measured is the one that was chosen: then the advantage is between two
// measurements of one way.
bool chose_fastest(const ChoiceReview& review);

// Whether a case of `auto`, with runs done.
bool is_choice(const MeasuredCase& measured);

// How many steps must be trained until what choosing took is regained, by a step of `own` seconds instead of
// one of `other`; infinite where it is not shorter.
double steps_to_earn(double choosing_seconds, double own, double other);

// What a step of that way takes, for the review's model, batch and settings: as measured, or NaN.
double measured_seconds(const ChoiceReview& review, const std::string& strategy, int gpus,
                        const std::vector<MeasuredCase>& cases);

// The same, or as probed where it was not measured.
double seconds_of_way(const ChoiceReview& review, const std::string& strategy, int gpus,
                      const std::vector<MeasuredCase>& cases);

}  // namespace breakeven::analysis
