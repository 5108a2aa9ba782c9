// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/no_prediction.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/case.h"
#include "src/core/text/lists.h"
#include "src/report/advice/measured_range.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

std::vector<std::string> measured_precisions(const Results& results) {
  std::vector<std::string> words;
  for (const RecordedRun& run : results.runs) {
    const std::string word(run.planned.what.precision.word());
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return words;
}

// Warns if the query is beyond what was measured; else "".
std::string beyond_warning(std::string_view what, const Span& asked, const Span& measured) {
  if (measured.is_empty() || measured.holds(asked)) return "";
  return fmt::format(
      "{} {} is beyond those measured ({}): times there are extrapolated, and their intervals do "
      "not cover that.",
      what, in_words(asked), in_words(measured));
}

}  // namespace

std::string missing_precisions_in_words(const Results& results, const predict::Query& query) {
  const std::vector<std::string> known = measured_precisions(results);
  std::vector<std::string> missing;
  for (const Precision precision : query.precisions)
    if (std::ranges::find(known, name_of(precision)) == known.end()) missing.emplace_back(name_of(precision));
  if (known.empty() || missing.empty()) return "";
  return fmt::format("The file has only {}, not {}. Measure with --precisions {},{}.", join_list(known),
                     join_list(missing), fmt::join(missing, ","), fmt::join(known, ","));
}

std::string beyond_recorded_in_words(const Results& results, const predict::Query& query) {
  if (CaseModel(query.model).known() != nullptr) return "";
  Span batches;
  for (const RecordedRun& run : results.runs)
    if (run.planned.what.model == query.model && analysis::is_done(run)) batches.add(run.planned.what.batch);
  if (batches.is_empty() || batches.has(query.batch)) return "";
  return fmt::format(
      "breakeven does not know the layers of {}, so it answers for the measured batches ({}) and between "
      "them",
      query.model, in_words(batches));
}

namespace {

// The model was tried at this batch, and none of its runs can be used.
bool has_failed(const analysis::FileAnalysis& file, const predict::Query& query) {
  bool was_planned = false;
  for (const analysis::CaseSummary& summary : file.summaries()) {
    if (summary.what.model != query.model || summary.what.batch != query.batch) continue;
    if (!summary.done.empty()) return false;
    was_planned = true;
  }
  return was_planned;
}

}  // namespace

std::string why_no_prediction(const analysis::FileAnalysis& file, const predict::Query& query) {
  const Results& results = file.results();
  if (has_failed(file, query))
    return fmt::format(
        "all runs of {} at batch {} in '{}' failed: they ended before they were measured, or their numbers "
        "are wrong. breakeven report {} --sections missing,warnings names them",
        query.model, format_count(query.batch), results.path, results.path);
  if (const std::string beyond = beyond_recorded_in_words(results, query); !beyond.empty()) return beyond;
  const std::string precisions = missing_precisions_in_words(results, query);
  return fmt::format("'{}' has no measurements from which {} at batch {} can be predicted{}{}", results.path,
                     query.model, format_count(query.batch), precisions.empty() ? "" : ". ", precisions);
}

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
