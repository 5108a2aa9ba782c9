// SPDX-License-Identifier: Apache-2.0
// The fastest of several configurations (strategy and GPUs) at one batch, and how far the one that `auto`
// chose is from it: its regret.
#pragma once

#include <string>
#include <vector>

#include "src/analysis/case_result.h"

namespace breakeven::analysis {

struct FastestConfiguration {
  const CaseResult* line = nullptr;
  statistics::RatioEstimate speedup;  // its interval holds whichever came out fastest (choose_best)
  statistics::RatioEstimate lead;     // its samples a second over those of the next fastest
};

// By batch and scaling, whose baselines differ, where there are at least two configurations. `lines` are of
// one group.
std::vector<FastestConfiguration> fastest_configurations(const CaseResults& lines);

// The rivals are the candidates of `auto` and all configurations that compute what one GPU computes, without
// independent copies, in the blocks that they share with the choice (choose_best). Null `fastest` if no rival
// shares a block.
struct ChoiceReview {
  const MeasuredCase* measured = nullptr;  // the case of `auto`
  const RecordedRun* run = nullptr;        // any of its runs: the candidates, and what choosing took
  // The fastest configuration measured for the same model, batch and settings. Null: none but the choice was.
  const MeasuredCase* fastest = nullptr;
  statistics::RatioEstimate advantage = {};  // its samples per second over those of the choice: 1 + regret
};

// A review beside the decision on its advantage.
struct JudgedChoice {
  ChoiceReview review;
  statistics::Decision decision;
};

// Of the cases among `some` that `auto` chose; `cases` are all of the file. Their verdicts are corrected for
// multiple comparisons.
std::vector<JudgedChoice> judge_choices(const std::vector<const MeasuredCase*>& some,
                                        const std::vector<MeasuredCase>& cases);

// How often a selector is right: `auto`, or one of score.h (src/predict).
struct SelectorScore {
  std::size_t asked = 0;        // model, batch and precision with a single GPU and more measured
  std::size_t right = 0;        // the choice is within practical_equivalence of the fastest
  std::size_t no_answer = 0;    // it asks for a measurement: not right, and its regret is that of one GPU
  std::vector<double> regrets;  // of all asked: seconds of the choice / of the fastest - 1
};

// Of the choices of `auto` in a file that had several candidates and measured rivals.
SelectorScore score_choices(const std::vector<MeasuredCase>& cases);

// Whether the fastest configuration is the chosen one: then the advantage is between two measurements of the
// same configuration.
bool chose_fastest(const ChoiceReview& review);

// The number of training steps that repay the time of choosing, with steps of `own` seconds instead of
// `other`; infinite if they are not shorter.
double steps_to_earn(double choosing_seconds, double own, double other);

// Seconds of a step of that configuration with the review's model, batch and settings: measured, or NaN.
double measured_seconds(const ChoiceReview& review, const std::string& strategy, int gpus,
                        const std::vector<MeasuredCase>& cases);

// The same, or as probed by `auto` where it was not measured.
double seconds_of_configuration(const ChoiceReview& review, const std::string& strategy, int gpus,
                                const std::vector<MeasuredCase>& cases);

}  // namespace breakeven::analysis
