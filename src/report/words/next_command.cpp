// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/next_command.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/analysis/comparison.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/text/shell_words.h"
#include "src/report/words/planned_runs.h"
#include "src/report/words/recorded_by.h"

namespace breakeven::report {
namespace {

// What the cases of a launch lack for a comparison.
struct Missing {
  bool several = false;     // no case is on more than one GPU
  bool strategies = false;  // none has a strategy for more than one
  bool single_gpu = false;  // none is `single`, which others are compared with
  bool chosen = false;      // `auto` chose one GPU everywhere
};

Missing missing_in(const std::vector<Case>& cases) {
  const auto is_single = [](const Case& what) { return what.strategy == single_gpu_strategy; };
  const bool has_several = std::ranges::any_of(cases, [](const Case& what) { return what.gpus > 1; });
  return {.several = !has_several,
          .strategies = std::ranges::all_of(cases, is_single),
          .single_gpu = std::ranges::none_of(cases, is_single),
          .chosen = !has_several && std::ranges::any_of(cases, is_auto)};
}

using Words = std::vector<std::string>;

// A command without this option and its value.
Words without(std::string_view option, const Words& words) {
  Words kept;
  bool is_value = false;
  for (const std::string& word : words) {
    const bool is_option = !is_value && word.substr(0, word.find('=')) == option;
    if (!is_value && !is_option) kept.push_back(word);
    is_value = is_option && word == option;
  }
  return kept;
}

Words without_modes(const std::string& command_line) {
  Words words = words_of_shell_line(command_line);
  std::erase_if(words, [](const std::string& word) { return word == "--append" || word == "--resume"; });
  return words;
}

// Into the same file, by this mode.
std::string going_on(std::size_t ranks, const std::string& command_line, std::string_view mode) {
  return fmt::format("mpirun -np {} {} {}", ranks, shell_line(without_modes(command_line)), mode);
}

// The strategies that the cases name, `single` first.
std::string strategies_with_single(const std::vector<Case>& cases) {
  std::vector<std::string> names{std::string(single_gpu_strategy)};
  for (const Case& what : cases) {
    const std::string name(what.strategy.word());
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (missing_in(cases).chosen) names.emplace_back("ddp");
  return fmt::format("{}", fmt::join(names, ","));
}

std::string why_not_compared(const Missing& missing, std::size_t ranks) {
  std::string text;
  if (ranks < 2) text += "One rank measures one GPU. ";
  if (missing.strategies) text += "--strategies named 'single' only, which trains on one GPU. ";
  if (ranks > 1 && missing.chosen)
    text += "'auto' chose one GPU everywhere. ";
  else if (ranks > 1 && missing.several && !missing.strategies)
    text += "--gpus named one GPU only. ";
  if (missing.single_gpu) text += "--strategies did not name 'single', which the others are compared with. ";
  return text.empty() ? "No finished run of 'single' matches one on several GPUs. " : text;
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

std::string how_to_compare(const Results& results) {
  if (results.launches.empty() || !results.launches.back().command_line.starts_with("breakeven run"))
    return "To compare, measure one GPU and several: mpirun -np 2 breakeven run --output NEW.h5";
  const Launch& launch = results.launches.back();
  std::vector<Case> cases;
  for (const RecordedRun& run : results.runs)
    if (run.launch + 1 == results.launches.size()) cases.push_back(run.planned.what);
  const std::size_t ranks = launch.topology.ranks.size();
  return fmt::format("{}To compare, run: {} --append", why_not_compared(missing_in(cases), ranks),
                     comparing_command(cases, ranks, shell_line(without_modes(launch.command_line))));
}

}  // namespace

std::string resume_command(std::size_t ranks, const std::string& command_line) {
  return going_on(ranks, command_line, "--resume");
}

std::string append_command(std::size_t ranks, const std::string& command_line) {
  return going_on(ranks, command_line, "--append");
}

std::string comparing_command(const std::vector<Case>& cases, std::size_t ranks,
                              const std::string& command_line) {
  const Missing missing = missing_in(cases);
  Words words = words_of_shell_line(command_line);
  std::string named;
  // A file of options may name what the command line does not.
  const bool has_config = without("--config", words) != words;
  if (missing.several) {
    words = without("--gpus", words);
    if (has_config) named += " --gpus 1,all";
  }
  if (missing.strategies) {
    words = without("--strategies", words);
    if (has_config) named += " --strategies single,ddp";
  } else if (missing.single_gpu || missing.chosen) {
    words = without("--strategies", words);
    named += " --strategies " + strategies_with_single(cases);
  }
  return fmt::format("mpirun -np {} {}{}", std::max<std::size_t>(ranks, 2), shell_line(words), named);
}

std::string nothing_compared(const Results& results) {
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
  return sentence + how_to_compare(results);
}

}  // namespace breakeven::report
