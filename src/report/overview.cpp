// SPDX-License-Identifier: Apache-2.0
#include "src/report/overview.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

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

}  // namespace

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
