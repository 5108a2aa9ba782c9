// SPDX-License-Identifier: Apache-2.0
#include "src/report/overview.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/text/lists.h"
#include "src/report/columns.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

constexpr std::size_t most_sentences = 3;  // of one model
constexpr std::size_t most_names = 3;

// A cell that the group has no case for is a dash.
ReportTable by_batch(const analysis::Group& group, const DeclaredTable& declared,
                     const std::function<std::string(const analysis::CaseResult&)>& cell_of) {
  std::set<std::uint32_t> batches;
  std::vector<std::string> ways;
  std::map<std::pair<std::string, std::uint32_t>, std::string> cells;
  for (const analysis::CaseResult& line : group.lines) {
    const std::string way = strategy_of(line.measured->what, group);
    const std::uint32_t batch = line.measured->what.batch;
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
    batches.insert(batch);
    cells[{way, batch}] = cell_of(line);
  }
  ReportTable table = declared.empty();
  table.columns.pop_back();  // stands for those of the batches
  for (const std::uint32_t batch : batches) {
    const std::string word = std::to_string(batch);
    table.columns.push_back({word, "Batch\n" + word, Align::left});
  }
  for (const std::string& way : ways) {
    std::vector<Cell> row{way};
    for (const std::uint32_t batch : batches) {
      const auto known = cells.find({way, batch});
      row.emplace_back(known == cells.end() ? std::string(dash) : known->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The names of the strategies that pay at each batch.
std::map<std::uint32_t, std::vector<std::string>> paying_strategies(
    const std::vector<const analysis::CaseResult*>& lines) {
  std::map<std::uint32_t, std::vector<std::string>> paying;
  for (const analysis::CaseResult* line : lines) {
    std::vector<std::string>& names = paying[line->measured->what.batch];
    if (line->comparison.decision.verdict == statistics::Payoff::pays)
      names.push_back(line->measured->what.strategy);
  }
  return paying;
}

// "1 pays at batch 64, 128 (independent). 13 pay at batch 8192. None pays at batch 512.": batches at which
// the same strategies pay stand together.
std::string payoffs_of(const std::vector<const analysis::CaseResult*>& lines) {
  struct Paying {
    std::vector<std::string> names;
    std::vector<std::uint32_t> batches;
  };
  std::vector<Paying> found;
  for (const auto& [batch, names] : paying_strategies(lines)) {
    auto same = std::ranges::find(found, names, &Paying::names);
    if (same == found.end()) same = found.insert(found.end(), {names, {}});
    same->batches.push_back(batch);
  }
  std::ranges::stable_partition(found, [](const Paying& one) { return !one.names.empty(); });
  std::vector<std::string> sentences;
  for (const auto& [names, batches] : found) {
    const std::string who = names.empty() ? "None" : std::to_string(names.size());
    const bool is_named = !names.empty() && names.size() <= most_names;
    sentences.push_back(fmt::format("{} {} at batch {}{}.", who, names.size() > 1 ? "pay" : "pays",
                                    fmt::join(batches, ", "),
                                    is_named ? fmt::format(" ({})", join_list(names)) : ""));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

// The largest batch at which there was a choice.
std::string fastest_of(const analysis::FileAnalysis& analysis, const analysis::Group& group, int gpus) {
  std::string text;
  for (const analysis::FastestConfiguration& way : group.fastest) {
    const Case& what = way.line->measured->what;
    if (what.gpus != gpus) continue;
    text = fmt::format(
        " The fastest at batch {} is {}, with a speed-up of {} over one {} (selected on half of the runs, "
        "measured on the other half).",
        what.batch, what.strategy, format_ratio(way.speedup.ratio),
        ran_on_host(analysis.results()) ? "host device" : "GPU");
    const std::string loss = loss_in_words({way.line});
    if (!loss.empty()) text += " " + loss;
  }
  return text;
}

std::vector<std::string> sentences_of(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  std::map<int, std::vector<const analysis::CaseResult*>> by_gpus;
  for (const analysis::CaseResult& line : group.lines) {
    const Case& what = line.measured->what;
    if (what.chosen.empty()) by_gpus[what.gpus].push_back(&line);  // `auto` chose one of the others
  }
  std::vector<std::string> sentences;
  for (const auto& [gpus, lines] : by_gpus) {
    std::set<std::string> ways;
    for (const analysis::CaseResult* line : lines) ways.insert(strategy_of(line->measured->what, group));
    sentences.push_back(fmt::format(
        "{} ({} parameters) on {}, {} configuration{} on {} {}: {}{}", title_of(analysis, group),
        format_count(group.parameters), machine_name(analysis.results()), ways.size(),
        ways.size() == 1 ? "" : "s", gpus, ran_on_host(analysis.results()) ? "host devices" : "GPUs",
        payoffs_of(lines), fastest_of(analysis, group, gpus)));
  }
  return sentences;
}

}  // namespace

bool answers_are_all_brief(const analysis::FileAnalysis& analysis) {
  return std::ranges::all_of(analysis.groups(), [&](const analysis::Group& group) {
    return count_answers(analysis, group) <= most_sentences;
  });
}

std::vector<std::string> answers_in_brief(const analysis::FileAnalysis& analysis) {
  const std::vector<Answer> answers = answer_all(analysis);
  std::vector<std::string> sentences;
  for (const analysis::Group& group : analysis.groups()) {
    std::vector<std::string> own;
    for (const Answer& answer : answers) {
      if (answer.group == &group) own.push_back(in_words(answer));
    }
    if (own.size() > most_sentences) own = sentences_of(analysis, group);
    sentences.insert(sentences.end(), own.begin(), own.end());
  }
  return sentences;
}

const DeclaredTable declared_verdicts{
    {.command = "report",
     .title =
         "Speed-up over one GPU by samples a second: + pays, - does not pay, = same within 2 %, ? undecided; "
         "verdicts corrected for multiple comparisons",
     .page = "report.md#speed",
     .columns = {columns::strategy, words("at_batch", "Batch N", "speed-up and verdict at that batch")}}};
const DeclaredTable declared_losses{
    {.command = "report",
     .title = "What most of a step's loss against perfect scaling goes to, and its share of the loss",
     .page = "report.md#the-loss-budget",
     .columns = {columns::strategy, words("at_batch", "Batch N", "largest part of the loss at that batch")}}};

ReportTable verdict_overview(const analysis::Group& group) {
  return by_batch(group, declared_verdicts, [](const analysis::CaseResult& line) {
    const double ratio = line.comparison.speedup.ratio.centre;
    const std::string_view sign = info_of(line.comparison.decision.verdict).sign;
    return fmt::format("{}{}{}", ratio < 0.1 ? format_significant(ratio, 2) : format_ratio(ratio),
                       sign.empty() ? "" : " ", sign);
  });
}

ReportTable loss_overview(const analysis::Group& group) {
  bool is_known = false;
  ReportTable table = by_batch(group, declared_losses, [&](const analysis::CaseResult& line) -> std::string {
    const std::optional<analysis::LossBudget>& budget = line.loss;
    if (!budget || !budget->has_parts()) return std::string(dash);
    is_known = true;
    const auto cause = budget->largest_cause();
    return cause ? fmt::format("{} {}", cause->name, format_percent(cause->seconds / budget->whole))
                 : "none lost";
  });
  if (!is_known) table.rows.clear();
  return table;
}

}  // namespace breakeven::report
