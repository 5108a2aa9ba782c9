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
#include "src/report/words/planned_runs.h"
#include "src/report/words/recorded_by.h"

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
  const std::string who = curve.is_fastest()
                              ? fmt::format("the fastest of {} configurations", curve.rivals)
                              : fmt::format("{}{}", what.strategy, is_exact(what) ? "" : " (lossy)");
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

std::string resume_command(std::size_t ranks, std::string command_line) {
  for (const std::string_view option : {" --append", " --resume"})
    if (const auto at = command_line.find(option); at != command_line.npos)
      command_line.erase(at, option.size());
  return fmt::format("mpirun -np {} {} --resume", ranks, command_line);
}

namespace {

// The command of a launch on one rank, for two: without --gpus, whose default compares one with all, and into
// the same file.
std::string on_two_ranks(const std::string& command_line) {
  std::string line = "mpirun -np 2";
  bool is_skipped = false;
  for (const std::string& word : split_list(command_line, ' ')) {
    const bool is_gpus = word == "--gpus";
    if (!is_skipped && !is_gpus && !word.starts_with("--gpus=") && word != "--append" && word != "--resume")
      line += " " + word;
    is_skipped = is_gpus;
  }
  return line + " --append";
}

// Where planned runs would compare; else "". `breakeven run` resumes only its last launch.
std::string how_to_resume(const Results& results) {
  if (results.launches.empty()) return "";
  const Launch& launch = results.launches.back();
  const bool is_run = recorded_by(launch) == RecordedBy::run;
  const auto missing = std::ranges::count_if(results.runs, [&](const RecordedRun& run) {
    const bool can_resume = !is_run || run.launch + 1 == results.launches.size();
    return can_resume && is_missing(run) && run.planned.what.strategy != auto_strategy;
  });
  if (missing == 0) return "";
  const std::string counted =
      fmt::format("{} of {} planned runs are not measured yet. ", missing, results.runs.size());
  if (recorded_by(launch) == RecordedBy::recorder)
    return counted + "To measure them, run the program again with the same output.";
  if (!launch.command_line.starts_with("breakeven run"))
    return counted + "To measure them, repeat the command with --resume.";
  return counted +
         "To measure them, run: " + resume_command(launch.topology.ranks.size(), launch.command_line);
}

std::string nothing_compared(const Results& results) {
  const auto is_alone = [](const Launch& launch) { return launch.topology.ranks.size() == 1; };
  const bool has_command =
      !results.launches.empty() && results.launches.back().command_line.starts_with("breakeven run");
  const std::string sentence = "Nothing was compared with one GPU. ";
  if (const std::string resume = how_to_resume(results); !resume.empty()) return sentence + resume;
  switch (recorded_by(results)) {
    case RecordedBy::wrap:
      return sentence + "To compare, repeat the command with --gpus 1,2 and --resume.";
    case RecordedBy::recorder:
      return sentence + "To compare, run the program on 1 and on more GPUs, with the same output.";
    case RecordedBy::run:
      break;
  }
  if (!has_command || !std::ranges::all_of(results.launches, is_alone))
    return sentence + "To compare, run with mpirun -np 2 and leave 1 in --gpus.";
  return sentence + "To compare, run: " + on_two_ranks(results.launches.back().command_line);
}

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
