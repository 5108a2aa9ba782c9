// SPDX-License-Identifier: Apache-2.0
// Tables of forms for people.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/bench/matmul/matmul_report.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

const std::vector<Column> case_columns{
    {"size", "Size"}, {"form", "Form", Align::left}, {"gpus", "GPUs"}, {"gemm", "Kernel", Align::left}};

std::vector<Cell> case_cells(const MatmulCase& what) {
  return {fmt::format("{}", what.size), what.form->name, fmt::format("{}", what.gpus), name_of(what.kernel)};
}

std::string_view phrase_of(Counted counted) {
  return counted == Counted::in_place ? "in place" : "root to root";
}

std::string error_in_words(const MatmulRow& row) {
  return std::isfinite(row.error) ? fmt::format("{:.1e}", row.error) : "not a number";
}

}  // namespace

std::string break_even_in_words(const MatmulBreakEven& found) {
  if (!found.size) return "not in the measured range";
  return fmt::format("{}{}", *found.size, found.size == found.smallest ? ", the smallest measured" : "");
}

ReportTable break_even_table(const std::vector<MatmulRow>& rows) {
  ReportTable table{"",
                    {{"form", "Form", Align::left},
                     {"gpus", "GPUs"},
                     {"precision", "Precision", Align::left},
                     {"gemm", "Kernel", Align::left},
                     {"counted", "Counted", Align::left},
                     {"break_even_size", "Pays from size", Align::left},
                     {"largest_speedup", "Speed-up at\nthe largest"},
                     {"largest_verdict", "There it", Align::left}},
                    {}};
  for (const MatmulBreakEven& found : find_break_evens(rows)) {
    table.title = fmt::format("From which size on is more than one GPU faster than one? Measured: {} to {}",
                              found.smallest, found.largest);  // the same for all
    table.rows.push_back({found.form->name, fmt::format("{}", found.gpus), info_of(found.precision).name,
                          name_of(found.kernel), phrase_of(found.form->counted), break_even_in_words(found),
                          format_ratio(found.largest_speedup), phrase_of(found.largest_decision)});
  }
  return table;
}

ReportTable form_speed_table(const std::vector<MatmulRow>& rows, Precision precision) {
  ReportTable table{"Speed", case_columns, {}};
  table.columns.insert(table.columns.end(), {{"median_seconds", "Median"},
                                             {"seconds", "Mean, 95 %"},
                                             {"flops_per_second", "GFLOP/s"},
                                             {"speedup", "Speed-up, 95 %"},
                                             {"verdict", "Verdict", Align::left},
                                             {"error", "Error"}});
  for (const MatmulRow& row : rows) {
    if (row.what.precision != precision) continue;
    const bool alone = row.what.form == &single_form();
    std::vector<Cell> cells = case_cells(row.what);
    cells.emplace_back(row.right ? format_seconds(row.median_seconds) : "WRONG");
    cells.emplace_back(row.right ? format_seconds(row.seconds) : std::string(dash));
    cells.emplace_back(row.right ? format_significant(row.flops_per_second / 1e9, 3) : std::string(dash));
    cells.emplace_back(row.right && !alone ? format_ratio(row.speedup.ratio) : std::string(dash));
    cells.emplace_back(row.right && !alone ? phrase_of(row.decision) : std::string(dash));
    cells.emplace_back(error_in_words(row));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable form_parts_table(const std::vector<MatmulRow>& rows, Precision precision) {
  ReportTable table{"Where the time goes: means, which sum to the whole", case_columns, {}};
  for (const std::string_view name : part_names)
    table.columns.push_back({std::string(name) + "_seconds", std::string(name)});
  table.columns.push_back({"seconds", "whole"});
  for (const MatmulRow& row : rows) {
    if (row.what.precision != precision || !row.right) continue;
    std::vector<Cell> cells = case_cells(row.what);
    for (const double seconds : row.parts) {
      const std::string share = format_percent(seconds / row.seconds.centre);
      cells.emplace_back(seconds == 0 ? std::string(dash)
                                      : fmt::format("{} ({})", format_seconds(seconds), share));
    }
    cells.emplace_back(format_seconds(row.seconds.centre));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable counted_table(const std::vector<MatmulRow>& rows) {
  ReportTable table{"What is counted: the time between these two, all in device memory",
                    {{"form", "Form", Align::left},
                     {"begins", "The time begins with", Align::left},
                     {"ends", "and ends with", Align::left}},
                    {}};
  std::vector<const FormInfo*> listed;
  for (const MatmulRow& row : rows) {
    const FormInfo* form = row.what.form;
    if (std::find(listed.begin(), listed.end(), form) != listed.end()) continue;
    listed.push_back(form);
    table.rows.push_back({form->name, form->begins, form->ends});
  }
  return table;
}

}  // namespace breakeven
