// SPDX-License-Identifier: Apache-2.0
// What a rank needs of its device's memory: predicted, measured, and against a limit.
#include <cmath>

#include <fmt/format.h>

#include "src/analysis/case_costs.h"
#include "src/core/as_whole.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

std::string fits_in_words(const analysis::MemoryFit& fit) {
  if (!std::isfinite(fit.bytes)) return std::string(dash);
  return fit.fits ? "yes" : "no";
}

std::string largest_in_words(const analysis::MemoryFit& fit) {
  if (!std::isfinite(fit.largest_batch)) return std::string(dash);
  return fit.largest_batch < 1 ? "none" : format_count(as_whole<std::uint64_t>(fit.largest_batch));
}

std::vector<Cell> row_of(const analysis::MeasuredCase& measured, const analysis::Group& group,
                         const analysis::FileAnalysis& analysis) {
  const analysis::CaseSummary& timed = measured.timed();
  const analysis::Readings& readings = timed.readings;
  const analysis::MemoryFit& fit = analysis.result_of(timed).memory;
  std::vector<Cell> row{batch_cell(measured.what),
                        strategy_of(measured.what, group),
                        format_bytes(readings.predicted_memory_bytes),
                        format_bytes(readings.peak_memory_bytes),
                        format_bytes(readings.peak_memory_bytes - readings.predicted_memory_bytes),
                        format_bytes(fit.bytes_a_row)};
  if (analysis.memory_limit_bytes() == 0) return row;
  row.emplace_back(fits_in_words(fit));
  row.emplace_back(largest_in_words(fit));
  return row;
}

}  // namespace

const DeclaredTable declared_memory{
    {.command = "report",
     .title = "Memory of one rank, the highest over ranks and runs",
     .page = "report.md#memory",
     .columns = {columns::batch, columns::strategy, columns::predicted_memory_bytes,
                 columns::peak_memory_bytes.headed("Measured"),
                 number("beyond_prediction", "Exchange,\nscratch", "bytes", "measured beyond the prediction"),
                 columns::memory_bytes_a_row, columns::fits.right(), columns::largest_batch}}};

ReportTable memory_table(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  const auto limit = static_cast<double>(analysis.memory_limit_bytes());
  ReportTable table = declared_memory.empty();
  if (limit > 0)
    table.title += fmt::format("; the limit is {}", format_bytes(limit));
  else
    table.columns.resize(table.columns.size() - 2);  // both of the limit
  for (const analysis::CaseResult& result : group.cases) {
    if (!result.measured->timed().done.empty())
      table.rows.push_back(row_of(*result.measured, group, analysis));
  }
  return table;
}

}  // namespace breakeven::report
