// SPDX-License-Identifier: Apache-2.0
// Where the numbers come from: machine, links, commands, sources, and how much of the plan was done.
#include <algorithm>

#include <fmt/format.h>

#include "src/report/declared_table.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {

std::string in_words(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

namespace {

const DeclaredTable declared_items{
    {.command = "report",
     .title = "Provenance",
     .page = "report.md#provenance",
     .columns = {words("", "Machine", "devices, their number, hosts"),
                 words("", "Links", "of each kind: bandwidth and latency, least to most"),
                 words("", "Ceilings", "the slowest rank's best rates"),
                 words("", "Command", "of each launch"), words("", "Revision", "of the source"),
                 words("", "Versions", "of libraries"), words("", "Settings", "options of the launch"),
                 words("", "Started", "when, in UTC"), words("", "Environment", "variables of the launch"),
                 words("", "Runs", "done of planned, verified, left out")}}};

std::string runs_in_words(const Results& results) {
  const auto with = [&](auto status) {
    return std::count_if(results.runs.begin(), results.runs.end(),
                         [&](const RecordedRun& run) { return run.status >= status; });
  };
  const auto needless = static_cast<std::size_t>(std::ranges::count_if(results.runs, analysis::is_needless));
  return fmt::format("{} done of {} planned, {} of them read back and verified, in {} launch{}{}",
                     format_count(with(RunStatus::complete)), format_count(results.runs.size()),
                     format_count(with(RunStatus::verified)), results.launches.size(),
                     results.launches.size() == 1 ? "" : "es",
                     needless == 0
                         ? ""
                         : fmt::format("; {} left out, since their cases were precise enough before",
                                       format_count(needless)));
}

std::string versions_in_words(const Launch& launch) {
  std::string text;
  for (const auto& [name, version] : launch.versions) {
    if (version.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", name, version);
  }
  return text;
}

// What differs between launches is told of each, what is the same once.
template <typename Word>
void add_facts(const Results& results, const std::string& name, Word word, std::vector<std::string>& facts) {
  std::vector<std::string> seen;
  for (const Launch& launch : results.launches) {
    const std::string text = word(launch);
    if (text.empty() || std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
    seen.push_back(text);
    facts.push_back(name + ": " + text);
  }
}

}  // namespace

std::vector<std::string> provenance(const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  std::vector<std::string> facts;
  add_facts(
      results, "Machine", [](const Launch& launch) { return machine_name(launch.topology); }, facts);
  add_facts(
      results, "Links", [](const Launch& launch) { return links_in_words(launch.topology); }, facts);
  add_facts(results, "Ceilings", roofline_in_words, facts);
  add_facts(
      results, "Command", [](const Launch& launch) { return "`" + launch.command_line + "`"; }, facts);
  add_facts(
      results, "Revision", [](const Launch& launch) { return launch.git_revision; }, facts);
  add_facts(results, "Versions", versions_in_words, facts);
  add_facts(
      results, "Settings", [](const Launch& launch) { return in_words(launch.settings); }, facts);
  add_facts(
      results, "Started", [](const Launch& launch) { return launch.started; }, facts);
  facts.push_back("Runs: " + runs_in_words(results));
  return facts;
}

std::vector<std::string> environments(const analysis::FileAnalysis& analysis) {
  std::vector<std::string> facts;
  add_facts(
      analysis.results(), "Environment", [](const Launch& launch) { return in_words(launch.environment); },
      facts);
  return facts;
}

std::vector<std::string> runs_not_done(const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  std::vector<std::string> lines;
  for (const analysis::CaseSummary& summary : analysis.summaries()) {
    std::vector<std::size_t> numbers;
    for (const RecordedRun* run : summary.planned) {
      if (!analysis::is_done(*run) && !analysis::is_needless(*run))
        numbers.push_back(static_cast<std::size_t>(run - results.runs.data()));
    }
    if (numbers.empty()) continue;
    lines.push_back(fmt::format("{}: {} of {} runs not done (number {})", label_of(summary.what),
                                numbers.size(), summary.planned.size(), format_numbers(numbers)));
  }
  return lines;
}

}  // namespace breakeven
