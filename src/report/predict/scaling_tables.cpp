// SPDX-License-Identifier: Apache-2.0
#include "src/report/predict/scaling_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/interval_scopes.h"

namespace breakeven::report {
namespace {

// For programs, and for people.
std::pair<std::string, std::string> recommended(const predict::ScalePoint& point) {
  switch (point.recommended) {
    case predict::Recommendation::does_not_fit:
      return {"does_not_fit", "no: does not fit"};
    case predict::Recommendation::uncertain:
      return {"uncertain", "no: too uncertain"};
    case predict::Recommendation::inefficient:
      return {"inefficient", "no: inefficient"};
    case predict::Recommendation::yes:
      break;
  }
  return {"yes", "yes"};
}

// A configuration of the curve, or the fastest that was measured on as many GPUs.
struct CurveRow {
  const predict::Configuration& configuration;
  const predict::ScalePoint& point;
  double price_an_hour = 0;

  const Case& what() const { return configuration.what; }
};
using CurveParts = std::vector<TidyPart<CurveRow>>;

CurveParts configuration_parts() {
  return {{columns::gpus, [](auto& one) { return count_cell(one.what().gpus); }},
          {columns::strategy, [](auto& one) { return strategy_cell(one.what()); }},
          {columns::lossy, [](auto& one) { return exact(!is_exact(one.what())); }},
          {columns::precision, [](auto& one) { return Cell(one.what().precision.word()); }},
          {columns::step_seconds, [](auto& one) { return one.configuration.seconds; }},
          {columns::samples_per_second, [](auto& one) { return one.configuration.samples_per_second; }},
          {columns::speedup, [](auto& one) { return one.configuration.speedup; }},
          {columns::verdict,
           [](auto& one) {
             return Cell(one.what().gpus > 1 ? word_of(one.configuration.decision.verdict) : is_baseline.key);
           }},
          {columns::basis, [](auto& one) { return Cell(basis_of(one.configuration)); }},
          {columns::fits, [](auto& one) { return exact(one.configuration.fits); }}};
}

const DeclaredColumn recommended_column = words(
    "recommended", "Recommended",
    "yes, or why not: does not fit, interval spans a factor of 10, efficiency under `--min-efficiency`");

CurveParts curve_parts() {
  CurveParts parts = configuration_parts();
  std::ranges::move(
      CurveParts{{recommended_column, [](auto& one) { return Cell(recommended(one.point).first); }},
                 {columns::efficiency, [](auto& one) { return one.point.efficiency; }},
                 {columns::ideal, [](auto& one) { return one.point.ideal; }},
                 {columns::amdahl, [](auto& one) { return one.point.amdahl; }},
                 {columns::link, [](auto& one) { return one.point.link; }},
                 {columns::gpu_hours_a_million, [](auto& one) { return one.point.gpu_hours_a_million; }},
                 {columns::cost_a_million.elsewhere(),
                  [](auto& one) { return one.price_an_hour * one.point.gpu_hours_a_million; }}},
      std::back_inserter(parts));
  return parts;
}

const TidyTable<CurveRow> curve_rows({.command = "predict", .json = "curve", .page = "predict.md"},
                                     curve_parts());
const TidyTable<CurveRow> measured_rows({.command = "predict", .json = "measured", .page = "predict.md"},
                                        configuration_parts());

std::string basis_of(const std::string& name, const predict::TransportModel& transport) {
  const predict::CallCheck& check = transport.checks[static_cast<std::size_t>(Collective::all_reduce)];
  const std::string doubling = format_percent(std::expm1(check.error_a_doubling));
  const std::string& source = transport.interconnect.costs().source;
  if (check.is_assumed)
    return fmt::format(
        "Communication over {} is predicted from {}. Groups of several sizes were not measured, so an error "
        "of "
        "{} for every doubling of the ranks is assumed.",
        name, source, doubling);
  return fmt::format(
      "Communication over {} is predicted from {}. On the most ranks, all-reduces were within {} a doubling "
      "(95 %) of what those on fewer ranks predict. The last table has the other calls.",
      name, source, doubling);
}

}  // namespace

std::string range_of(const statistics::Interval& seconds) {
  return fmt::format("{} ({}–{})", format_seconds(seconds.centre), format_seconds(seconds.low),
                     format_seconds(seconds.high));
}

const DeclaredTable declared_curve{
    {.command = "predict",
     .title = "The best configuration on each number of GPUs; 95 % intervals{}",
     .page = "predict.md",
     .columns = {columns::gpus, columns::strategy, columns::precision.elsewhere(),
                 columns::step_seconds.headed("Step"), columns::speedup, columns::verdict,
                 recommended_column}}};

ReportTable curve_table(const std::vector<predict::ScalePoint>& points) {
  ReportTable table = declared_curve.empty();
  std::vector<const predict::Configuration*> all;
  for (const predict::ScalePoint& point : points) all.push_back(&point.best);
  table.title = fmt::format(fmt::runtime(table.title), in_brackets(scopes_of_configurations(all)));
  for (const predict::ScalePoint& point : points) {
    const predict::Configuration& best = point.best;
    table.rows.push_back({count_cell(best.what.gpus), strategy_cell(best.what), best.what.precision.word(),
                          Cell(range_of(best.seconds), best.seconds.centre), ratio_cell(best.speedup),
                          best.what.gpus > 1 ? verdict_cell(best.decision) : baseline_cell(),
                          recommended(point).second});
  }
  say_shared({"precision"}, table);
  return table;
}

const DeclaredTable declared_bounds{
    {.command = "predict",
     .title = "What limits these speed-ups, and what the samples cost",
     .page = "predict.md",
     .columns = {columns::gpus, columns::samples_per_second, columns::speedup, columns::efficiency,
                 columns::amdahl, columns::link, columns::gpu_hours_a_million, columns::cost_a_million,
                 columns::basis}}};

ReportTable bounds_table(const std::vector<predict::ScalePoint>& points, double price_an_hour) {
  ReportTable table = declared_bounds.empty();
  for (const predict::ScalePoint& point : points) {
    const predict::Configuration& best = point.best;
    const double cost = price_an_hour * point.gpu_hours_a_million;
    table.rows.push_back({count_cell(best.what.gpus),
                          Cell(format_rate(best.samples_per_second, best.seconds), best.samples_per_second),
                          ratio_cell(best.speedup.centre), share_cell(point.efficiency),
                          ratio_cell(point.amdahl), ratio_cell(point.link),
                          Cell(format_significant(point.gpu_hours_a_million, 3), point.gpu_hours_a_million),
                          Cell(format_significant(cost, 3), cost), basis_of(best)});
  }
  if (!(price_an_hour > 0)) drop_column("cost_a_million", table);
  return table;
}

ReportTable curve_data(const std::vector<predict::ScalePoint>& points, double price_an_hour) {
  ReportTable table = curve_rows.empty();
  for (const predict::ScalePoint& point : points) curve_rows.add({point.best, point, price_an_hour}, table);
  if (!(price_an_hour > 0)) drop_column(columns::cost_a_million.key, table);
  return table;
}

ReportTable measured_data(const std::vector<predict::ScalePoint>& points) {
  ReportTable table = measured_rows.empty();
  for (const predict::ScalePoint& point : points)
    if (point.measured) measured_rows.add({*point.measured, point}, table);
  return table;
}

DeclaredColumns term_columns() {
  DeclaredColumns columns;
  for (const predict::StepTermInfo& term : predict::step_terms) {
    std::string header(term.name);
    std::ranges::replace(header, ' ', '\n');
    columns.push_back(number(term.name, header, "s", term.meaning));
  }
  return columns;
}

const DeclaredTable declared_parts{
    {.command = "predict",
     .json = "parts",
     .title = "Where a step's time goes, by the fitted model; the longest call of the communication and its "
              "algorithm",
     .page = "predict.md#how-a-step-is-predicted",
     .columns = joined({{columns::gpus},
                        term_columns(),
                        {words("exchange_form", "Longest call", "of the exchange, and the call's form")}})}};

ReportTable parts_table(const std::vector<predict::ScalePoint>& points) {
  ReportTable table = declared_parts.empty();
  for (const predict::ScalePoint& point : points) {
    std::vector<Cell> row{count_cell(point.best.what.gpus)};
    for (const double seconds : point.best.parts) row.emplace_back(format_seconds(seconds), seconds);
    row.emplace_back(point.exchange);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> basis_in_words(const predict::ScaleModel& model) {
  std::vector<std::string> sentences;
  for (const auto& [name, transport] : model.transports_known())
    sentences.push_back(basis_of(name, transport));
  const predict::FurtherErrors& errors = model.further_errors();
  if (errors.is_known())
    sentences.push_back(
        fmt::format("Intervals on more than {0} GPUs come from the errors of predicting {0} from up to {1}, "
                    "and are assumed to grow with every further doubling.",
                    errors.to(), errors.from()));
  if (!model.has_roofline())
    sentences.emplace_back(
        "A launch measured no roofline. The fastest whole steps on one GPU stand in for it.");
  return sentences;
}

const DeclaredTable declared_levels{
    {.command = "predict",
     .json = "levels",
     .title = "The machine: {}",
     .page = "predict.md",
     .columns = {words("level", "Level", "of the machine, lowest first"),
                 number("joins", "Joins", "", "GPUs"), columns::latency_seconds, columns::bytes_per_second,
                 words("from", "From", "measured here, or the topology file")}}};

ReportTable levels_table(const predict::ScaleModel& model) {
  ReportTable table = declared_levels.empty();
  table.title = fmt::format(fmt::runtime(table.title), model.machine().name);
  for (const predict::LinkLevel& level : model.machine().levels) {
    const bool any = level.joins >= predict::gpus_of(predict::machine_as_measured());
    table.rows.push_back({level.name, any ? Cell("any number", Cell::Value{}) : count_cell(level.joins),
                          seconds_cell(level.latency_seconds),
                          Cell(format_bandwidth(level.bytes_per_second), level.bytes_per_second),
                          level.is_measured ? "measured here" : "topology file"});
  }
  return table;
}

}  // namespace breakeven::report
