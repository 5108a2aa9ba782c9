// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_warnings.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "src/report/measured_range.h"
#include "src/report/no_prediction.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

// Where the question leaves what was measured; "" where it does not.
std::string beyond_warning(std::string_view what, const Span& asked, const Span& measured) {
  if (measured.is_empty() || measured.holds(asked)) return "";
  return fmt::format(
      "{} {} is beyond those measured ({}): times there are extrapolated, and their intervals do "
      "not cover that.",
      what, in_words(asked), in_words(measured));
}

}  // namespace

std::vector<std::string> advice_warnings(const predict::Advisor& advisor, const analysis::FileAnalysis& file,
                                         const predict::Query& query, const predict::Configuration& fastest) {
  const CaseRange asked = case_range_of(fastest.what, advisor.parameters_of(query.model));
  const CaseRange measured = measured_range(file);
  std::vector<std::string> sentences{
      missing_precisions_in_words(file.results(), query),
      beyond_warning("Batch", asked.batches, measured.batches),
      beyond_warning("A number of parameters of", asked.parameters, measured.parameters)};
  std::erase(sentences, "");
  std::ranges::copy(warnings(file), std::back_inserter(sentences));
  return sentences;
}

}  // namespace breakeven::report
