// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/measured_range.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/as_whole.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {

void Span::add(double value) {
  least = std::min(least, value);
  most = std::max(most, value);
}

void Span::add(const Span& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

void CaseRange::add(const CaseRange& other) {
  batches.add(other.batches);
  parameters.add(other.parameters);
  gpus.add(other.gpus);
}

CaseRange case_range_of(const Case& what, std::uint64_t parameters) {
  CaseRange range;
  range.batches.add(what.batch);
  if (parameters > 0) range.parameters.add(static_cast<double>(parameters));
  range.gpus.add(what.gpus);
  return range;
}

CaseRange measured_range(const analysis::FileAnalysis& analysis) {
  CaseRange measured;
  for (const analysis::CaseSummary& summary : analysis.summaries())
    if (!summary.done.empty()) measured.add(case_range_of(summary.what, summary.parameters));
  return measured;
}

std::string in_words(const Span& span) {
  const std::string least = format_count(as_whole<std::uint64_t>(span.least));
  const std::string most = format_count(as_whole<std::uint64_t>(span.most));
  return from_to_words(least, most);
}

std::string beyond_in_words(const CaseRange& asked, const CaseRange& measured) {
  std::vector<std::string> parts;
  const auto add = [&](Span CaseRange::*span, std::string_view words) {
    if (!(measured.*span).is_empty() && !(measured.*span).holds(asked.*span))
      parts.push_back(fmt::format(fmt::runtime(words), in_words(measured.*span)));
  };
  add(&CaseRange::batches, "batches {}");
  add(&CaseRange::parameters, "models of {} parameters");
  add(&CaseRange::gpus, "{} GPUs");
  return parts.empty() ? "" : fmt::format("beyond the measured {}", fmt::join(parts, " and "));
}

std::string prediction_in_words(const std::string& predicted, const CaseRange& asked,
                                const CaseRange& measured) {
  const std::string beyond = beyond_in_words(asked, measured);
  return beyond.empty() ? predicted : "predicted, " + beyond;
}

}  // namespace breakeven::report
