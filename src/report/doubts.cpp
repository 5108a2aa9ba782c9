// SPDX-License-Identifier: Apache-2.0
#include "src/report/doubts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/predict/loss_budget.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

void doubt_host(const Analysis& analysis, Sentences& sentences) {
  std::string sentence = host_doubt(analysis.results());
  if (!sentence.empty()) sentences.push_back(std::move(sentence));
}

void doubt_stragglers(const Analysis& analysis, Sentences& sentences) {
  std::string sentence = straggler_in_words(analysis);
  if (!sentence.empty()) sentences.push_back(std::move(sentence));
}

// Where the rest is what parts leave that were all measured, it says how far they explain the whole.
void doubt_budget(const Analysis& analysis, Sentences& sentences) {
  std::size_t tested = 0;
  std::size_t unexplained = 0;
  double largest = 0;
  for (const Group& group : analysis.groups()) {
    for (const Line& line : group.lines) {
      const auto budget =
          loss_budget_of(*line.measured, line.comparison, analysis.cases(), analysis.results());
      if (!budget || !budget->by_phases || budget->by_construction() != LossPart::rest) continue;
      if (!std::isfinite(budget->whole_half_width)) continue;
      ++tested;
      if (budget->explains_the_whole()) continue;
      ++unexplained;
      largest = std::max(largest, std::abs((*budget)[LossPart::rest]) / budget->step);
    }
  }
  if (unexplained == 0) return;
  sentences.push_back(fmt::format(
      "Of {} losses with all parts measured, the parts of {} do not add up to the whole within its interval; "
      "at most {} of a step is left.",
      tested, unexplained, format_percent(largest)));
}

}  // namespace

std::vector<std::string> doubts(const Analysis& analysis) {
  Sentences sentences;
  for (const auto doubt : {doubt_losses, doubt_host, doubt_pairing, doubt_base, doubt_observer, doubt_clocks,
                           doubt_throttling, doubt_skipped_steps, doubt_quality, doubt_outliers,
                           doubt_steadiness, doubt_stragglers, doubt_budget, doubt_launches}) {
    doubt(analysis, sentences);
  }
  return sentences;
}

}  // namespace breakeven
