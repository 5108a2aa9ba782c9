// SPDX-License-Identifier: Apache-2.0
// Tables of forms for people.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/bench/matmul/matmul_report.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::number;
using report::words;

const report::DeclaredColumns product_columns{number("size", "Size", "", "rows of the square matrices"),
                                              words("form", "Form", "how the ranks share the product"),
                                              columns::gpus, columns::gemm};

std::vector<report::Cell> case_cells(const MatmulCase& what) {
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

const report::DeclaredTable declared_break_even{
    {.command = "matmul",
     .title = "Smallest size at which more than one GPU is faster than one, measured from {} to {}",
     .page = "matmul.md#how-it-is-measured",
     .columns = {words("form", "Form", "how the ranks share the product"), columns::gpus, columns::precision,
                 columns::gemm, words("counted", "Counted", "root to root, or in place"),
                 words("break_even_size", "Pays from size", "smallest measured size from which it pays"),
                 number("largest_speedup", "Speed-up at\nthe largest", "", "of the measured sizes"),
                 words("largest_verdict", "There it", "verdict at that size")}}};

report::ReportTable break_even_table(const std::vector<MatmulRow>& rows) {
  report::ReportTable table = declared_break_even.empty();
  for (const MatmulBreakEven& found : find_break_evens(rows)) {
    table.title = fmt::format(fmt::runtime(declared_break_even.declaration().title), found.smallest,
                              found.largest);  // the same for all
    table.rows.push_back({found.form->name, fmt::format("{}", found.gpus), info_of(found.precision).name,
                          name_of(found.kernel), phrase_of(found.form->counted), break_even_in_words(found),
                          report::format_ratio(found.largest_speedup), phrase_of(found.largest_decision)});
  }
  return table;
}

const report::DeclaredTable declared_speed{
    {.command = "matmul",
     .title = "Speed",
     .page = "matmul.md#how-it-is-measured",
     .columns =
         report::joined({product_columns,
                         {number("median_seconds", "Median", "s", "over repeats"),
                          number("mean_seconds", "Mean, 95 %", "s", "over repeats, of the slowest rank"),
                          columns::flops_per_second.headed("GFLOP/s"),
                          number("speedup", "Speed-up, 95 %", "", "over one device, paired by repeat"),
                          columns::verdict, columns::error}})}};

report::ReportTable form_speed_table(const std::vector<MatmulRow>& rows, Precision precision) {
  report::ReportTable table = declared_speed.empty();
  for (const MatmulRow& row : rows) {
    if (row.what.precision != precision) continue;
    const bool alone = row.what.form == &single_form();
    std::vector<report::Cell> cells = case_cells(row.what);
    cells.emplace_back(row.right ? report::format_seconds(row.median_seconds) : "WRONG");
    cells.emplace_back(row.right ? report::format_seconds(row.seconds) : std::string(report::dash));
    cells.emplace_back(row.right ? report::format_significant(row.flops_per_second / 1e9, 3)
                                 : std::string(report::dash));
    cells.emplace_back(row.right && !alone ? report::format_ratio(row.speedup.ratio)
                                           : std::string(report::dash));
    cells.emplace_back(row.right && !alone ? phrase_of(row.decision) : std::string(report::dash));
    cells.emplace_back(error_in_words(row));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::DeclaredColumns part_columns() {
  report::DeclaredColumns columns;
  for (std::size_t part = 0; part < part_names.size(); ++part)
    columns.push_back(
        number(std::string(part_names[part]) + "_seconds", part_names[part], "s", part_meanings[part]));
  return columns;
}
const report::DeclaredTable declared_parts{
    {.command = "matmul",
     .title = "Where the time goes (means, which add up to the whole)",
     .page = "matmul.md#how-it-is-measured",
     .columns =
         report::joined({product_columns,
                         part_columns(),
                         {number("mean_seconds", "whole", "s", "over repeats, of the slowest rank")}})}};

report::ReportTable form_parts_table(const std::vector<MatmulRow>& rows, Precision precision) {
  report::ReportTable table = declared_parts.empty();
  for (const MatmulRow& row : rows) {
    if (row.what.precision != precision || !row.right) continue;
    std::vector<report::Cell> cells = case_cells(row.what);
    for (const double seconds : row.parts) {
      const std::string share = report::format_percent(seconds / row.seconds.centre);
      cells.emplace_back(seconds == 0 ? std::string(report::dash)
                                      : fmt::format("{} ({})", report::format_seconds(seconds), share));
    }
    cells.emplace_back(report::format_seconds(row.seconds.centre));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

const report::DeclaredTable declared_counted{
    {.command = "matmul",
     .title = "What is timed in each form; all data start and end in device memory",
     .page = "matmul.md#how-it-is-measured",
     .columns = {words("form", "Form", "how the ranks share the product"),
                 words("begins", "Timing starts with", "where the matrices are then"),
                 words("ends", "and ends with", "where the matrices are then")}}};

report::ReportTable counted_table(const std::vector<MatmulRow>& rows) {
  report::ReportTable table = declared_counted.empty();
  std::vector<const FormInfo*> listed;
  for (const MatmulRow& row : rows) {
    const FormInfo* form = row.what.form;
    if (std::find(listed.begin(), listed.end(), form) != listed.end()) continue;
    listed.push_back(form);
    table.rows.push_back({form->name, form->begins, form->ends});
  }
  return table;
}

}  // namespace breakeven::bench
