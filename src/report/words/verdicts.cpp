// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/verdicts.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/break_evens.h"
#include "src/report/sections/evidence.h"
#include "src/report/sections/group_words.h"
#include "src/report/words/machine.h"
#include "src/report/words/next_command.h"
#include "src/report/words/planned_runs.h"

namespace breakeven::report {
namespace {

using statistics::Payoff;

// Who reads no further learns what processor cores cannot tell.
std::string_view of_host(const Results& results) {
  return ran_on_host(results) ? "Processor cores, no answer about GPUs: " : "";
}

// "2x NVIDIA H200", "2 of 4x NVIDIA H200"
std::string gpus_in_words(const Results& results, int gpus) {
  const std::string machine = machine_name(results);
  const std::string all = machine.starts_with(fmt::format("{}x ", gpus)) ? "" : fmt::format("{} of ", gpus);
  return all + machine;
}

std::string at_batch(double batch) { return "batch " + whole_number(batch); }

std::string band_in_words(const BreakEvenCurve& curve) {
  const Payoff verdict = curve.points.front().verdict;
  const std::string_view word = info_of(verdict).speed;
  if (curve.points.size() == 1)
    return fmt::format("{} at {}{}", word, at_batch(curve.points.front().at), curve.unit());
  const auto is_other = [&](const auto& point) { return point.verdict != verdict; };
  if (std::ranges::any_of(curve.points, is_other))
    return fmt::format("{}{}", bands_in_words(curve.points, at_batch), curve.unit());
  return fmt::format("{} at every batch tested, {} to {}{}", word, whole_number(curve.points.front().at),
                     whole_number(curve.points.back().at), curve.unit());
}

std::string sentence_of(const analysis::FileAnalysis& analysis, const Verdict& verdict) {
  const BreakEvenCurve& curve = verdict.curve;
  const Case& what = curve.lines.front()->measured->what;
  const std::string crossing = crossing_in_words(curve.points, whole_number);
  const std::string who = curve.is_fastest() ? fmt::format("the fastest of {} configurations", curve.rivals)
                                             : fmt::format("{}{}{}", what.strategy, unusual_transport(what),
                                                           is_exact(what) ? "" : " (lossy)");
  return fmt::format("{}{} on {}, {}{}: {} ({}{})", of_host(analysis.results()),
                     title_of(analysis, *verdict.group), gpus_in_words(analysis.results(), curve.gpus), who,
                     scaling_in_words(curve.scaling, *verdict.group), band_in_words(curve),
                     crossing.empty() ? "" : fmt::format("break-even {}; ", crossing),
                     evidence_in_words(analysis.results(), curve));
}

bool has_point_with(Payoff verdict, const Verdict& one) {
  return std::ranges::find(one.curve.points, verdict, &statistics::BreakEvenPoint::verdict) !=
         one.curve.points.end();
}

// "faster at some batch tested for 6 of 9 models and settings, at none for 2, and undecided for 1"
std::string counts_in_words(const Results& results, const std::vector<Verdict>& verdicts) {
  std::size_t faster = 0, undecided = 0;
  for (const Verdict& one : verdicts) {
    if (has_point_with(Payoff::pays, one))
      ++faster;
    else if (has_point_with(Payoff::undecided, one))
      ++undecided;
  }
  const std::size_t at_none = verdicts.size() - faster - undecided;
  std::string text =
      fmt::format("faster at some batch tested for {} of {} models and settings", faster, verdicts.size());
  if (at_none > 0) text += fmt::format(", at none for {}", at_none);
  if (undecided > 0) text += fmt::format(", undecided for {}", undecided);
  std::vector<const analysis::CaseResult*> lines;
  for (const Verdict& one : verdicts)
    lines.insert(lines.end(), one.curve.lines.begin(), one.curve.lines.end());
  return text + fmt::format(" ({})", scope_in_words(results, lines));
}

}  // namespace

std::vector<Verdict> verdicts_of(const analysis::FileAnalysis& analysis) {
  std::vector<Verdict> verdicts;
  for (const analysis::Group& group : analysis.groups()) {
    for (BreakEvenCurve& curve : curves_along_batches(analysis, group)) {
      if (!curve.leads) continue;
      Verdict verdict{.group = &group, .curve = std::move(curve), .evidence = nullptr, .sentence = ""};
      verdict.evidence = evidence_of(verdict.curve);
      verdict.sentence = sentence_of(analysis, verdict);
      verdicts.push_back(std::move(verdict));
    }
  }
  return verdicts;
}

namespace {

bool have_a_line_each(const std::vector<Verdict>& verdicts) {
  constexpr std::size_t most_without_break_evens = 8;
  const auto has_break_even = [](const Verdict& verdict) { return verdict.curve.points.size() > 1; };
  return verdicts.size() <= most_verdict_lines ||
         (verdicts.size() <= most_without_break_evens && std::ranges::none_of(verdicts, has_break_even));
}

}  // namespace

std::vector<std::string> verdicts_in_brief(const analysis::FileAnalysis& analysis,
                                           const std::vector<Verdict>& verdicts) {
  std::vector<std::string> lines;
  if (verdicts.empty()) {
    lines.push_back(nothing_compared(analysis.results()));
  } else if (have_a_line_each(verdicts)) {
    for (const Verdict& verdict : verdicts) lines.push_back(verdict.sentence);
  } else {
    lines.push_back(fmt::format("{}On {} more GPUs are {}", of_host(analysis.results()),
                                machine_name(analysis.results()),
                                counts_in_words(analysis.results(), verdicts)));
  }
  if (std::string missing = unmeasured_cases_in_words(analysis); !missing.empty())
    lines.push_back(std::move(missing));
  return lines;
}

}  // namespace breakeven::report
