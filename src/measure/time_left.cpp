// SPDX-License-Identifier: Apache-2.0
#include "src/measure/time_left.h"

#include <array>
#include <limits>
#include <utility>

#include "src/core/axes.h"

namespace breakeven::measure {
namespace {

// What two cases must have in common for their runs to take about as long, the strictest rule first.
using Alike = bool (*)(const Case&, const Case&);
constexpr std::array<Alike, 3> likenesses{
    [](const Case& a, const Case& b) {
      return are_alike(a, b, {Axis::model, Axis::batch, Axis::gpus});
    },
    [](const Case& a, const Case& b) { return are_alike(a, b, {Axis::model}); },
    [](const Case&, const Case&) { return true; },
};

}  // namespace

TimeLeft::TimeLeft(std::vector<Case> cases, std::vector<std::size_t> case_of)
    : cases_(std::move(cases)), case_of_(std::move(case_of)), spent_(cases_.size()) {}

void TimeLeft::made(std::size_t run, double seconds) {
  Spent& spent = spent_[case_of_[run]];
  spent.seconds += seconds;
  spent.runs += 1;
}

void TimeLeft::ended(std::size_t run) { spent_[case_of_[run]].ended = true; }

double TimeLeft::seconds_a_run(std::size_t which) const {
  const Spent& own = spent_[which];
  if (own.runs > 0) return own.seconds / static_cast<double>(own.runs);
  for (const Alike alike : likenesses) {
    double seconds = 0;
    std::size_t runs = 0;
    for (std::size_t other = 0; other < cases_.size(); ++other) {
      if (!alike(cases_[which], cases_[other])) continue;
      seconds += spent_[other].seconds;
      runs += spent_[other].runs;
    }
    if (runs > 0) return seconds / static_cast<double>(runs);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double TimeLeft::seconds_from(std::size_t run) const {
  std::vector<std::size_t> left(cases_.size());
  for (; run < case_of_.size(); ++run) left[case_of_[run]] += 1;
  double seconds = 0;
  for (std::size_t which = 0; which < cases_.size(); ++which) {
    if (left[which] > 0 && !spent_[which].ended)
      seconds += static_cast<double>(left[which]) * seconds_a_run(which);
  }
  return seconds;
}

}  // namespace breakeven::measure
