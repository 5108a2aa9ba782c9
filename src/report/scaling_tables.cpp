// SPDX-License-Identifier: Apache-2.0
#include "src/report/scaling_tables.h"

#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

Cell ratio_cell(double ratio) { return {format_ratio(ratio), ratio}; }

std::string basis_of(const Configuration& way) {
  return way.is_measured ? "measured" : std::string(name_of(way.basis));
}

TidyRow data_of(const Configuration& way) {
  TidyRow row;
  row.add("gpus", static_cast<std::uint64_t>(way.what.gpus))
      .add("strategy", Cell(way.what.strategy))
      .add("precision", Cell(way.what.precision.word()))
      .add("step_seconds", way.seconds)
      .add("samples_per_second", way.samples_per_second)
      .add("speedup", way.speedup)
      .add("verdict", Cell(way.what.gpus > 1 ? word_of(way.decision.verdict) : "base"))
      .add("basis", Cell(basis_of(way)))
      .add("fits", exact(way.fits));
  return row;
}

}  // namespace

std::string range_of(const Interval& seconds) {
  return fmt::format("{} ({}–{})", format_seconds(seconds.centre), format_seconds(seconds.low),
                     format_seconds(seconds.high));
}

const DeclaredTable declared_curve{
    {.command = "predict",
     .title = "The best way on each number of GPUs; 95 % intervals",
     .page = "predict.md",
     .columns = {columns::gpus, columns::strategy, columns::precision.headed("Preci-\nsion"),
                 columns::step_seconds.headed("Step"), columns::samples_per_second, columns::speedup,
                 columns::efficiency, columns::amdahl, columns::link, columns::gpu_hours_a_million,
                 columns::cost_a_million, columns::verdict, columns::basis}}};

ReportTable curve_table(const std::vector<ScalePoint>& points, double price_an_hour) {
  ReportTable table = declared_curve.empty();
  if (!(price_an_hour > 0))
    std::erase_if(table.columns, [](const Column& column) { return column.key == "cost_a_million"; });
  for (const ScalePoint& point : points) {
    const Configuration& best = point.best;
    const double cost = price_an_hour * point.gpu_hours_a_million;
    table.rows.push_back({exact(static_cast<std::uint64_t>(best.what.gpus)), best.what.strategy.word(),
                          best.what.precision.word(), Cell(range_of(best.seconds), best.seconds.centre),
                          Cell(format_rate(best.samples_per_second), best.samples_per_second),
                          Cell(format_ratio(best.speedup), best.speedup.centre),
                          Cell(format_percent(point.efficiency), point.efficiency), ratio_cell(point.amdahl),
                          ratio_cell(point.link),
                          Cell(format_significant(point.gpu_hours_a_million, 3), point.gpu_hours_a_million),
                          best.what.gpus > 1 ? phrase_of(best.decision) : "base",
                          basis_of(best) + (best.fits ? "" : ", does not fit")});
    auto& row = table.rows.back();
    if (price_an_hour > 0) row.insert(row.end() - 2, Cell(format_significant(cost, 3), cost));
  }
  return table;
}

const DeclaredColumns way_columns{columns::gpus,
                                  columns::strategy,
                                  columns::precision,
                                  columns::step_seconds.with_interval(),
                                  columns::samples_per_second,
                                  columns::speedup.with_interval(),
                                  columns::verdict,
                                  columns::basis,
                                  columns::fits};
const DeclaredTable declared_curve_rows{
    {.command = "predict",
     .json = "curve",
     .page = "predict.md",
     .columns = joined({way_columns,
                        {columns::efficiency, columns::ideal, columns::amdahl, columns::link,
                         columns::gpu_hours_a_million, columns::cost_a_million}})}};
const DeclaredTable declared_measured{
    {.command = "predict", .json = "measured", .page = "predict.md", .columns = way_columns}};

ReportTable curve_data(const std::vector<ScalePoint>& points, double price_an_hour) {
  ReportTable table = declared_curve_rows.empty();
  if (!(price_an_hour > 0)) table.columns.pop_back();
  for (const ScalePoint& point : points) {
    TidyRow row = data_of(point.best);
    row.add("efficiency", point.efficiency)
        .add("ideal", point.ideal)
        .add("amdahl", point.amdahl)
        .add("link", point.link)
        .add("gpu_hours_a_million", point.gpu_hours_a_million);
    if (price_an_hour > 0) row.add("cost_a_million", price_an_hour * point.gpu_hours_a_million);
    append(std::move(row), table);
  }
  return table;
}

ReportTable measured_data(const std::vector<ScalePoint>& points) {
  ReportTable table = declared_measured.empty();
  for (const ScalePoint& point : points)
    if (point.measured) append(data_of(*point.measured), table);
  return table;
}

DeclaredColumns term_columns() {
  DeclaredColumns columns;
  for (const StepTermInfo& term : step_terms)
    columns.push_back(number(term.name, term.name, "s", term.meaning));
  return columns;
}

const DeclaredTable declared_parts{
    {.command = "predict",
     .json = "parts",
     .title = "Where a step's time goes, by the fitted model; the longest call of the exchange and its form",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = joined({{columns::gpus},
                        term_columns(),
                        {words("exchange_form", "Exchange", "its longest call, and the call's form")}})}};

ReportTable parts_table(const std::vector<ScalePoint>& points) {
  ReportTable table = declared_parts.empty();
  for (const ScalePoint& point : points) {
    std::vector<Cell> row{exact(static_cast<std::uint64_t>(point.best.what.gpus))};
    for (const double seconds : point.best.parts) row.emplace_back(format_seconds(seconds), seconds);
    row.emplace_back(point.exchange);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace breakeven
