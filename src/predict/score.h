// SPDX-License-Identifier: Apache-2.0
// How good advice is on measured cases that were held out: how often its intervals hold the truth, and how
// often it chooses right, beside simpler selectors.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "src/analysis/fastest.h"
#include "src/predict/selectors.h"
#include "src/statistics/clusters.h"

namespace breakeven::predict {

// Of the predicted 95 % intervals of held-out speed-ups, as each launch measured them. Each interval is made
// of errors of the fold's known part alone, so that no error is both used and judged.
struct Coverage {
  std::size_t asked = 0;            // speed-ups of a launch, with an interval
  std::size_t inside = 0;           // measured within it
  std::size_t decided = 0;          // the whole interval is over 1.02 or under 0.98
  std::size_t wrong = 0;            // of them: the measured speed-up is on the other side of 1
  std::vector<double> half_widths;  // of the intervals, in the logarithm
  // Inside, of asked, by what was held out: the model, the batch or the launch.
  std::map<std::string, statistics::Tally> units;
  statistics::Interval share() const { return statistics::share_interval(units); }  // inside / asked
};

struct HeldOutScore {
  HeldOutBy by = HeldOutBy::model;
  std::string selector;
  analysis::SelectorScore choices;
  std::size_t right_verdicts = 0;  // more GPUs or one, whichever is faster; either within 2 % of each other
  std::vector<double> log_errors;  // of the predicted speed-ups
  std::vector<bool> is_right;      // [asked] the choice is within 2 % of the fastest
};

struct HeldOutReview {
  HeldOutBy by = HeldOutBy::model;
  Coverage coverage;                 // of `advise`
  std::vector<HeldOutScore> scores;  // of selector_kinds(), in that order; none for a launch alone
};

// One review for each way of holding out that the file allows.
std::vector<HeldOutReview> review_held_out(const StepModel& model);

// The probability that two equally good selectors differ as much in how often they are right: McNemar's test,
// exact (Psychometrika 12, 1947). Both were asked the same.
double difference_by_chance(const HeldOutScore& one, const HeldOutScore& other);

}  // namespace breakeven::predict
