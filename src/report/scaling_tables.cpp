// SPDX-License-Identifier: Apache-2.0
#include "src/report/scaling_tables.h"

#include <fmt/format.h>

#include "src/report/numbers.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

Cell ratio_cell(double ratio) { return {format_ratio(ratio), ratio}; }

std::string basis_of(const Way& way) {
  return way.is_measured ? "measured" : std::string(name_of(way.basis));
}

TidyRow data_of(const Way& way) {
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

ReportTable curve_table(const std::vector<ScalePoint>& points, double price_an_hour) {
  ReportTable table{"The best way on each number of GPUs; 95 % intervals",
                    {{"gpus", "GPUs"},
                     {"strategy", "Strategy", Align::left},
                     {"precision", "Preci-\nsion", Align::left},
                     {"step_seconds", "Step", Align::left},
                     {"samples_per_second", "Samples/s"},
                     {"speedup", "Speed-up", Align::left},
                     {"efficiency", "Effi-\nciency"},
                     {"amdahl", "Amdahl"},
                     {"link", "The\nlink's"},
                     {"gpu_hours_a_million", "GPU-hours\na million"},
                     {"verdict", "Verdict", Align::left},
                     {"basis", "Basis", Align::left}},
                    {}};
  if (price_an_hour > 0)
    table.columns.insert(table.columns.end() - 2, {"cost_a_million", "Cost of\na million"});
  for (const ScalePoint& point : points) {
    const Way& best = point.best;
    const double cost = price_an_hour * point.gpu_hours_a_million;
    table.rows.push_back({exact(static_cast<std::uint64_t>(best.what.gpus)), best.what.strategy,
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

ReportTable curve_data(const std::vector<ScalePoint>& points, double price_an_hour) {
  ReportTable table;
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
  ReportTable table;
  for (const ScalePoint& point : points)
    if (point.measured) append(data_of(*point.measured), table);
  return table;
}

ReportTable parts_table(const std::vector<ScalePoint>& points) {
  ReportTable table{
      "Where a step's time goes, by the fitted model; the longest call of the exchange and its form",
      {{"gpus", "GPUs"}},
      {}};
  for (const StepTermInfo& term : step_terms)
    table.columns.push_back({std::string(term.name), std::string(term.name)});
  table.columns.push_back({"exchange_form", "Exchange", Align::left});
  for (const ScalePoint& point : points) {
    std::vector<Cell> row{exact(static_cast<std::uint64_t>(point.best.what.gpus))};
    for (const double seconds : point.best.parts) row.emplace_back(format_seconds(seconds), seconds);
    row.emplace_back(point.exchange);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace breakeven
