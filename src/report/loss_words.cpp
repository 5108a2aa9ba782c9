// SPDX-License-Identifier: Apache-2.0
// The loss budget in a sentence: its largest part.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

// "76 % of its step at batch 128 is above the ideal, 71 % of that by exchange", or "".
std::string loss_of(const analysis::CaseResult& line) {
  const std::optional<analysis::LossBudget>& budget = line.loss;
  const auto cause = budget && budget->has_parts() ? budget->largest_cause() : std::nullopt;
  if (!cause) return "";
  return fmt::format("{} of its step at batch {} is above the ideal, {} of that by {}",
                     format_percent(budget->whole / budget->step), line.measured->what.batch,
                     format_percent(cause->seconds / budget->whole), cause->name);
}

}  // namespace

std::string loss_in_words(const std::vector<const analysis::CaseResult*>& lines) {
  std::vector<std::string> losses;
  for (const analysis::CaseResult* line : lines) {
    if (line == lines.front() || line == lines.back()) losses.push_back(loss_of(*line));
  }
  std::erase(losses, "");
  return losses.empty() ? "" : fmt::format("{}.", fmt::join(losses, "; "));
}

}  // namespace breakeven
