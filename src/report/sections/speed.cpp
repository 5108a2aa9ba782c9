// SPDX-License-Identifier: Apache-2.0
// Is it faster, batch by batch, and which strategy is the fastest?
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

std::string from_to(const std::string& from, const std::string& to) {
  return from == to && from == dash ? from : fmt::format("{} → {}", from, to);
}

// "85 → 70 %" by NVML.
std::string utilization(const analysis::CaseResult& line) {
  const auto percent = [](const analysis::CaseSummary* summary) {
    const double value = summary == nullptr ? not_measured : summary->readings.utilization_percent;
    return value == value ? fmt::format("{:.0f}", value) : std::string(dash);
  };
  const std::string text = from_to(percent(line.comparison.base_timed), percent(line.comparison.timed));
  return text == dash ? text : text + " %";
}

Cell verdict_of(const analysis::CaseResult& line) {
  if (line.comparison.base == nullptr) return "no base";
  return verdict_cell(line.comparison.decision);
}

std::vector<Cell> speed_row(const analysis::CaseResult& line, const analysis::Group& group) {
  const analysis::Comparison& comparison = line.comparison;
  const analysis::CaseSummary& timed =
      comparison.timed != nullptr ? *comparison.timed : line.measured->timed();
  return {batch_cell(line.measured->what),
          strategy_of(line.measured->what, group),
          format_rate(comparison.base_samples_per_second),
          format_rate(comparison.samples_per_second),
          format_ratio(comparison.speedup.ratio),
          scope_of(comparison.speedup),
          format_percent(comparison.efficiency),
          format_bytes(timed.readings.peak_memory_bytes),
          utilization(line),
          verdict_of(line)};
}

// A cell that the group has no case for is a dash.
ReportTable by_batch(const analysis::Group& group, const DeclaredTable& declared,
                     const std::function<std::string(const analysis::CaseResult&)>& cell_of) {
  std::set<std::uint32_t> batches;
  std::vector<std::string> configs;
  std::map<std::pair<std::string, std::uint32_t>, std::string> cells;
  for (const analysis::CaseResult& line : group.lines) {
    const std::string config = strategy_of(line.measured->what, group);
    const std::uint32_t batch = line.measured->what.batch;
    if (std::ranges::find(configs, config) == configs.end()) configs.push_back(config);
    batches.insert(batch);
    cells[{config, batch}] = cell_of(line);
  }
  ReportTable table = declared.empty();
  table.columns.pop_back();  // stands for those of the batches
  for (const std::uint32_t batch : batches) {
    const std::string word = std::to_string(batch);
    table.columns.push_back({word, "Batch\n" + word, Align::left});
  }
  for (const std::string& config : configs) {
    std::vector<Cell> row{config};
    for (const std::uint32_t batch : batches) {
      const auto known = cells.find({config, batch});
      row.emplace_back(known == cells.end() ? std::string(dash) : known->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

const DeclaredTable declared_speed{
    {.command = "report",
     .title =
         "Speed: one GPU against more, in samples a second (geometric mean of the blocks); speed-up with its "
         "95 % interval{}, verdicts "
         "corrected for multiple comparisons",
     .page = "report.md#speed",
     .columns = {columns::batch.headed("Batch\nsize"), columns::strategy.headed("Multi-GPU\nstrategy"),
                 columns::speedup_base_samples_per_second, columns::speedup_samples_per_second,
                 columns::speedup, columns::speedup_covers.elsewhere(), columns::efficiency,
                 columns::peak_memory_bytes, columns::utilization_percent.headed("GPU\nutilization"),
                 columns::verdict}}};

ReportTable speed_table(const analysis::Group& group) {
  ReportTable table = declared_speed.empty();
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_speedups(group)));
  for (const analysis::CaseResult& line : group.lines) table.rows.push_back(speed_row(line, group));
  if (count_scopes_of_speedups(group) < 2)
    drop_column(columns::speedup_covers.key, table);  // the title says it
  return table;
}

const DeclaredTable declared_fastest{
    {.command = "report",
     .json = "fastest",
     .title = "The fastest on more than one GPU; 95 % intervals that hold whichever came out fastest{}",
     .page = "report.md#speed",
     .columns = {
         columns::batch, columns::strategy.headed("Fastest"),
         words("speedup", "Speed-up", "the interval is simultaneous").typed(JsonType::number),
         columns::speedup_covers.elsewhere(),
         words("lead", "Over the next", "samples/s over those of the next fastest").typed(JsonType::number),
         columns::verdict}}};

ReportTable fastest_rows(const analysis::Group& group) {
  ReportTable table = declared_fastest.empty();
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_speedups(group)));
  for (const auto& [line, speedup, lead] : group.fastest) {
    const Case& what = line->measured->what;
    table.rows.push_back({batch_cell(what), strategy_of(what, group), ratio_cell(speedup.ratio),
                          scope_of(speedup), ratio_cell(lead.ratio),
                          verdict_cell(line->comparison.decision)});
  }
  return table;
}

ReportTable fastest_table(const analysis::Group& group) {
  ReportTable table = fastest_rows(group);
  if (count_scopes_of_speedups(group) < 2)
    drop_column(columns::speedup_covers.key, table);  // the title says it
  return table;
}

const DeclaredTable declared_overview{
    {.command = "report",
     .title =
         "Speed-up over one GPU by samples a second: + pays, - does not pay, = same within 2 %, ? undecided; "
         "verdicts corrected for multiple comparisons",
     .page = "report.md#speed",
     .columns = {columns::strategy, words("at_batch", "Batch N", "speed-up and verdict at that batch")}}};

ReportTable verdict_overview(const analysis::Group& group) {
  return by_batch(group, declared_overview, [](const analysis::CaseResult& line) {
    const double ratio = line.comparison.speedup.ratio.centre;
    const std::string_view sign = info_of(line.comparison.decision.verdict).sign;
    return fmt::format("{}{}{}", ratio < 0.1 ? format_significant(ratio, 2) : format_ratio(ratio),
                       sign.empty() ? "" : " ", sign);
  });
}

}  // namespace breakeven::report
