// SPDX-License-Identifier: Apache-2.0
// The loss budget: the time of a step that is lost against perfect scaling, part by part.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/one_gpu.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/interval_scopes.h"
#include "src/report/words/recorded_by.h"

namespace breakeven::report {
namespace {

struct BudgetLine {
  const analysis::CaseResult* line;
  const analysis::LossBudget& budget;
};

// Budgets with at least one known part.
std::vector<BudgetLine> budgets_of(const analysis::Group& group) {
  std::vector<BudgetLine> budgets;
  for (const analysis::CaseResult& line : group.lines) {
    if (line.loss && line.loss->has_parts()) budgets.push_back({&line, *line.loss});
  }
  return budgets;
}

std::vector<const analysis::LossPartInfo*> parts_of_any(const std::vector<BudgetLine>& budgets) {
  std::vector<const analysis::LossPartInfo*> parts;
  for (const analysis::LossPartInfo& info : analysis::loss_parts) {
    const auto is_known = [&](const BudgetLine& one) { return std::isfinite(one.budget[info.part]); };
    if (std::ranges::any_of(budgets, is_known)) parts.push_back(&info);
  }
  return parts;
}

std::string key_of(const analysis::LossPartInfo& info) { return fmt::format("loss_{}_seconds", info.key); }

DeclaredColumns columns_of_parts() {
  DeclaredColumns columns;
  for (const analysis::LossPartInfo& info : analysis::loss_parts)
    columns.push_back(number(key_of(info), info.title, "s", info.meaning));
  return columns;
}

DeclaredColumns shares_of_parts() {
  DeclaredColumns columns;
  for (const analysis::LossPartInfo& info : analysis::loss_parts)
    columns.push_back(datum(fmt::format("loss_{}_share", info.key), "share", "of the step"));
  return columns;
}

DeclaredColumns columns_of_budget() {
  return joined({{columns::batch, columns::strategy, columns::loss_seconds}, columns_of_parts()});
}

const DeclaredTable declared_seconds{
    {.command = "report",
     .title = "Loss budget: the time of a step that is lost against perfect "
              "scaling, part by part; ± half of its 95 % interval{}; * computed from the other parts",
     .page = "report.md#the-loss-budget",
     .columns = columns_of_budget()}};
const DeclaredTable declared_shares{
    {.command = "report",
     .title =
         "Loss budget in shares of the step; ± half of its 95 % interval{}; * computed from the other parts",
     .page = "report.md#the-loss-budget",
     .columns = columns_of_budget()}};

void add_parts(const analysis::LossBudget& budget, TidyRow& row) {
  row.add("ideal_step_seconds", budget.ideal)
      .add("loss_seconds", budget.whole)
      .add("loss_half_width_seconds", budget.whole_half_width);
  for (const analysis::LossPartInfo& info : analysis::loss_parts) row.add(key_of(info), budget[info.part]);
}

void add_shares(const BudgetLine& one, TidyRow& row) {
  for (const analysis::LossPartInfo& info : analysis::loss_parts)
    row.add(fmt::format("loss_{}_share", info.key), one.budget[info.part] / one.budget.step);
}

const TidyTable<BudgetLine> budget_rows(
    {.command = "report", .json = "loss_budgets", .page = "report.md#the-loss-budget"},
    {{axis_columns(), [](auto& one, TidyRow& row) { add_axes(*one.line->comparison.timed, row); }},
     {columns::step_seconds, [](auto& one) { return one.budget.step; }},
     {budget_columns(), [](auto& one, TidyRow& row) { add_parts(one.budget, row); }},
     {shares_of_parts(), add_shares},
     {datum("by_phases", "", "whether phases were measured").typed(JsonType::truth),
      [](auto& one) { return exact(one.budget.by_phases); }},
     {datum("strategy_overhead_measured", "", "whether that was measured by itself").typed(JsonType::truth),
      [](auto& one) { return exact(one.budget.strategy_overhead_measured); }},
     {words("by_construction", "", "the part that is computed from the others, marked *"),
      [](auto& one) {
        const auto part = one.budget.by_construction();
        return part ? Cell(info_of(*part).key) : dash_cell();
      }},
     {datum("unexplained_within_interval", "", "whether that is within its interval").typed(JsonType::truth),
      [](auto& one) { return exact(one.budget.explains_the_whole()); }}});

// `format` prints the times.
ReportTable table_of(const std::vector<BudgetLine>& budgets, const analysis::Group& group,
                     const DeclaredTable& declared,
                     std::string (*format)(double seconds, const analysis::LossBudget& budget)) {
  ReportTable table = declared.empty();
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_steps(group)));
  const auto parts = parts_of_any(budgets);
  std::erase_if(table.columns, [&](const Column& column) {
    const auto is_of = [&](const analysis::LossPartInfo& info) { return key_of(info) == column.key; };
    const auto info = std::ranges::find_if(analysis::loss_parts, is_of);
    return info != analysis::loss_parts.end() && std::ranges::find(parts, &*info) == parts.end();
  });
  for (const auto& [line, budget] : budgets) {
    const std::string interval = std::isfinite(budget.whole_half_width)
                                     ? fmt::format(" ± {}", format(budget.whole_half_width, budget))
                                     : "";
    std::vector<Cell> row{fmt::format("{}", line->measured->what.batch),
                          strategy_of(line->measured->what, group), format(budget.whole, budget) + interval};
    for (const analysis::LossPartInfo* info : parts)
      row.emplace_back(format(budget[info->part], budget) +
                       (info->part == budget.by_construction() ? "*" : ""));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string name_of(const BudgetLine& one, const analysis::Group& group) {
  const Case& what = one.line->measured->what;
  return fmt::format("{} at batch {}", strategy_of(what, group), format_count(what.batch));
}

std::string sentence_of(const std::vector<BudgetLine>& budgets, const analysis::Group& group,
                        const std::string& sentence, bool (*is_meant)(const BudgetLine&)) {
  std::vector<std::string> names;
  for (const BudgetLine& one : budgets) {
    if (is_meant(one)) names.push_back(name_of(one, group));
  }
  return names.empty() ? "" : fmt::format("{} {}.", sentence, first_names(std::move(names), 6, ", "));
}

bool is_split_otherwise(const BudgetLine& one) {
  return !analysis::has_rows_of_one_gpu(one.line->measured->what);
}
bool lacks_rows(const BudgetLine& one) {
  return !is_split_otherwise(one) && std::isfinite(one.budget[analysis::LossPart::compute]);
}
bool lacks_strategy(const BudgetLine& one) {
  return one.budget.by_construction() == analysis::LossPart::strategy_overhead;
}
bool unexplained_is_large(const BudgetLine& one) {
  const bool is_known = one.budget.by_phases && std::isfinite(one.budget.whole_half_width);
  return is_known && !one.budget.explains_the_whole();
}
bool is_by_total(const BudgetLine& one) { return !one.budget.by_phases; }
bool has_loss(const analysis::CaseResult& line) { return line.loss.has_value(); }

}  // namespace

ReportTable loss_budget_table(const analysis::Group& group) {
  return table_of(budgets_of(group), group, declared_seconds,
                  [](double seconds, const analysis::LossBudget&) { return format_seconds(seconds); });
}

ReportTable loss_share_table(const analysis::Group& group) {
  return table_of(budgets_of(group), group, declared_shares,
                  [](double seconds, const analysis::LossBudget& budget) {
                    return format_percent(seconds / budget.step);
                  });
}

std::string phases_not_recorded(const analysis::FileAnalysis& analysis) {
  int most_gpus = 0;  // with phases
  for (const analysis::CaseSummary& summary : analysis.summaries())
    if (summary.what.timing == Timing::phases && analysis::is_done(&summary))
      most_gpus = std::max(most_gpus, summary.what.gpus);
  return fmt::format("Phases were {}. To see where the time is lost, {}.",
                     most_gpus == 1 ? "recorded on one GPU only" : "not recorded",
                     recorded_by(analysis.results()) == RecordedBy::run
                         ? "run with --timing steps,phases"
                         : "name them in the program with recorder.phase(...) (docs/own-loop.md)");
}

std::vector<std::string> loss_budget_notes(const analysis::FileAnalysis& analysis,
                                           const analysis::Group& group) {
  const std::vector<BudgetLine> budgets = budgets_of(group);
  if (budgets.empty() && std::ranges::any_of(group.lines, has_loss)) return {phases_not_recorded(analysis)};
  std::vector<std::string> notes{
      sentence_of(
          budgets, group,
          "The parts do not explain the loss, because the unexplained part is larger than its interval:",
          unexplained_is_large),
      sentence_of(budgets, group,
                  "Strategy overhead is what the other parts leave, and the unexplained part is near zero by "
                  "construction, because the strategy was not measured on one GPU at the per-GPU batch (run "
                  "--loss-budget does that):",
                  lacks_strategy),
      sentence_of(budgets, group,
                  "Lower GEMM efficiency and strategy overhead are not told apart, because 'single' was not "
                  "measured at the per-GPU batch with phases (run --loss-budget does that):",
                  lacks_rows),
      sentence_of(
          budgets, group,
          "Nor are they told apart where the GPUs do not divide the rows of one model:", is_split_otherwise),
      sentence_of(
          budgets, group,
          fmt::format("{} Without them, communication, waiting and clock drop are not known, and launch gaps "
                      "count as lower GEMM efficiency:",
                      phases_not_recorded(analysis)),
          is_by_total)};
  std::erase(notes, "");
  return notes;
}

DeclaredColumns budget_columns() {
  return joined({{columns::ideal_step_seconds, columns::loss_seconds, columns::loss_half_width_seconds},
                 columns_of_parts()});
}

void add_budget(const analysis::SummaryResult& result, TidyRow& row) {
  const bool is_known = result.speaks_for != nullptr && result.speaks_for->loss;
  add_parts(is_known ? *result.speaks_for->loss : analysis::LossBudget{}, row);
}

ReportTable tidy_budgets(const analysis::FileAnalysis& analysis) {
  ReportTable table = budget_rows.empty();
  for (const analysis::Group& group : analysis.groups())
    for (const BudgetLine& one : budgets_of(group)) budget_rows.add(one, table);
  return table;
}

}  // namespace breakeven::report
