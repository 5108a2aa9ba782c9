// SPDX-License-Identifier: Apache-2.0
#include "src/report/warnings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

void warn_host(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::string sentence = host_warning(analysis.results());
  if (!sentence.empty()) sentences.push_back(std::move(sentence));
}

void warn_stragglers(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::string sentence = straggler_in_words(analysis);
  if (!sentence.empty()) sentences.push_back(std::move(sentence));
}

// Where all parts were measured, what they leave says how far they explain the whole.
void warn_budget(const analysis::FileAnalysis& analysis, Sentences& sentences) {
  std::size_t tested = 0;
  std::size_t unexplained = 0;
  double largest = 0;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& line : group.lines) {
      const std::optional<analysis::LossBudget>& budget = line.loss;
      if (!budget || !budget->by_phases || budget->by_construction() != analysis::LossPart::unexplained)
        continue;
      if (!std::isfinite(budget->whole_half_width)) continue;
      ++tested;
      if (budget->explains_the_whole()) continue;
      ++unexplained;
      largest = std::max(largest, std::abs((*budget)[analysis::LossPart::unexplained]) / budget->step);
    }
  }
  if (unexplained == 0) return;
  sentences.push_back(fmt::format(
      "Of {} losses with all parts measured, the parts of {} do not add up to the whole within its interval; "
      "at most {} of a step is left.",
      tested, unexplained, format_percent(largest)));
}

}  // namespace

std::vector<std::string> warnings(const analysis::FileAnalysis& analysis) {
  Sentences sentences;
  for (const auto warning : {warn_losses, warn_host, warn_pairing, warn_base, warn_timing_overhead,
                             warn_clocks, warn_throttling, warn_skipped_steps, warn_quality, warn_outliers,
                             warn_steadiness, warn_stragglers, warn_budget, warn_launches}) {
    warning(analysis, sentences);
  }
  return sentences;
}

}  // namespace breakeven
