// SPDX-License-Identifier: Apache-2.0
// Tables of kernels for people.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/bench/kernels/kernel_report.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"

namespace breakeven::bench {
namespace {

namespace columns = report::columns;
using report::number;
using report::words;

std::string kernel_of(const Candidate& candidate) {
  return fmt::format("{}{}", name_of(candidate.variant.kernel), candidate.fused ? "+bias+relu" : "");
}

std::string times(double ratio) { return report::format_ratio(ratio); }

std::string half_range(const KernelRow& row) {
  if (row.rounds < 2) return std::string(report::dash);
  return report::format_percent((row.warm.high - row.warm.low) / 2 / row.warm.median);
}

std::string tera(double flops_per_second) { return report::format_significant(flops_per_second / 1e12, 3); }

std::string error_of(const KernelRow& row) {
  return std::isfinite(row.error) ? fmt::format("{:.1e}", row.error) : "not a number";
}

std::string of_limit(const KernelRow& row) {
  if (!std::isfinite(row.limit_share)) return std::string(report::dash);
  return fmt::format("{} {}", report::format_percent(row.limit_share), row.limit.what);
}

std::vector<report::Cell> product_row(const KernelRow& row, bool beside_reference) {
  const auto speed = [&](const std::string& text) {
    return row.right ? report::Cell(text) : report::Cell(std::string(report::dash));
  };
  std::vector<report::Cell> cells{label_of(row.task), kernel_of(row.candidate),
                                  row.right ? report::format_seconds(row.warm.median) : "WRONG",
                                  speed(half_range(row)), speed(tera(row.flops_per_second))};
  if (beside_reference) cells.push_back(speed(times(row.warm_reference.speedup)));
  cells.push_back(speed(report::format_seconds(row.cold.median)));
  if (beside_reference) cells.push_back(speed(times(row.cold_reference.speedup)));
  cells.push_back(speed(of_limit(row)));
  cells.emplace_back(error_of(row));
  return cells;
}

}  // namespace

bool has_reference(const std::vector<KernelRow>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const KernelRow& row) { return std::isfinite(row.warm_reference.speedup); });
}

const report::DeclaredColumns reference_columns{
    number("faster", "Faster\nthan it", "", "products faster than the reference").elsewhere(),
    number("speedup", "Warm", "", "over the reference, geometric mean").elsewhere(),
    number("cold_speedup", "Cold", "", "the same, operands in memory").elsewhere(),
    number("least_speedup", "Least,\nwarm", "", "over the reference").elsewhere()};
report::DeclaredColumns summary_columns() {
  return report::joined(
      {{columns::precision, columns::gemm, number("products", "Products", "", "that were measured"),
        number("wrong", "WRONG", "", "with an error over the limit")},
       reference_columns});
}
const report::DeclaredTable declared_plain{{.command = "kernels",
                                            .title = "Products",
                                            .page = "kernels.md#the-numbers",
                                            .columns = summary_columns()}};
const report::DeclaredTable declared_fused{{.command = "kernels",
                                            .title = "Products with bias and ReLU in the same launch",
                                            .page = "kernels.md#the-numbers",
                                            .columns = summary_columns()}};

report::ReportTable summary_table(const std::vector<KernelRow>& rows, bool fused) {
  const bool beside_reference = has_reference(rows);
  const std::string reference = fused ? "cuBLASLt" : "cuBLAS";
  report::ReportTable table = (fused ? declared_fused : declared_plain).empty();
  if (beside_reference)
    table.title += ": speed against " + reference + ", geometric mean";
  else
    table.columns.resize(table.columns.size() - reference_columns.size());
  for (const KernelSummary& summary : summarize_kernels(rows)) {
    if (summary.fused != fused) continue;
    std::vector<report::Cell> row{info_of(summary.precision).name, name_of(summary.kernel),
                                  fmt::format("{}", summary.products), fmt::format("{}", summary.wrong)};
    if (beside_reference) {
      row.emplace_back(fmt::format("{}", summary.faster));
      for (const double ratio : {summary.speedup, summary.cold_speedup, summary.least_speedup})
        row.emplace_back(times(ratio));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

const report::DeclaredTable declared_squares{
    {.command = "kernels",
     .title = "Large squares, warm",
     .page = "kernels.md#the-numbers",
     .columns = {columns::precision, columns::gemm, number("side", "Side", "", "of the matrices"),
                 columns::flops_per_second, columns::flops_share,
                 number("speedup_vs_cublas", "Against\ncuBLAS", "", "speed over its").elsewhere()}}};

report::ReportTable squares_table(const std::vector<KernelRow>& rows) {
  report::ReportTable table = declared_squares.empty();
  const bool beside_reference = has_reference(rows);
  if (!beside_reference) table.columns.pop_back();
  for (const PrecisionInfo& info : precisions) {
    for (const KernelRow& row : rows) {
      if (!row.task.is_square || row.candidate.fused || row.candidate.precision != info.precision) continue;
      table.rows.push_back({info.name, kernel_of(row.candidate), fmt::format("{}", row.task.shape.m),
                            row.right ? tera(row.flops_per_second) : "WRONG",
                            report::format_percent(row.flops_share)});
      if (beside_reference) table.rows.back().emplace_back(times(row.warm_reference.speedup));
    }
  }
  return table;
}

const report::DeclaredTable declared_products{
    {.command = "kernels",
     .title = "By precision",
     .page = "kernels.md#the-numbers",
     .columns = {words("product", "Product", "layout and sizes"), columns::gemm,
                 number("seconds", "Warm", "s", "of one launch, median of rounds"),
                 number("range", "±", "share", "half of the range / median"), columns::flops_per_second,
                 number("speedup", "Against\ncuBLAS", "", "speed over its").elsewhere(),
                 number("cold_seconds", "Cold", "s", "with the operands in memory"),
                 number("cold_speedup", "Against\ncuBLAS", "", "speed over its").elsewhere(),
                 words("limit_share", "Of the limit", "limit / cold"), columns::error}}};

report::ReportTable product_table(const std::vector<KernelRow>& rows, Precision precision) {
  const bool beside_reference = has_reference(rows);
  report::ReportTable table = declared_products.empty();
  table.title.clear();
  if (!beside_reference)
    std::erase_if(table.columns,
                  [](const report::Column& column) { return column.header == "Against\ncuBLAS"; });
  for (const KernelRow& row : rows) {
    if (row.candidate.precision == precision) table.rows.push_back(product_row(row, beside_reference));
  }
  return table;
}

}  // namespace breakeven::bench
