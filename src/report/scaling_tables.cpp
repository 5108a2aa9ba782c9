// SPDX-License-Identifier: Apache-2.0
#include "src/report/scaling_tables.h"

#include <cmath>

#include <fmt/format.h>

#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/tidy_row.h"

namespace breakeven::report {
namespace {

std::string basis_of(const predict::Configuration& way) {
  return way.is_measured ? "measured" : std::string(name_of(way.basis));
}

TidyRow data_of(const predict::Configuration& way) {
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

// An error in the logarithm as a share; rounding errors count as 0.
Cell share_of(double log_error) {
  const double share = log_error < 1e-9 ? 0 : std::expm1(log_error);
  return {format_percent(share), share};
}

std::string basis_of(const std::string& name, const predict::TransportModel& transport) {
  const predict::CallCheck& check = transport.checks[static_cast<std::size_t>(Collective::all_reduce)];
  const std::string doubling = format_percent(std::expm1(check.error_a_doubling));
  const std::string& source = transport.network.costs().source;
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

constexpr std::uint64_t large = 64 << 20;
// Of a large call; dash where the call takes no time.
Cell bandwidth_cell(double seconds) {
  const double bandwidth = seconds > 0 ? double{large} / seconds : not_measured;
  return {format_bandwidth(bandwidth), bandwidth};
}

void add_calls(const std::string& name, const predict::TransportModel& transport, ReportTable& table) {
  const predict::CallCosts& costs = transport.network.costs();
  for (std::size_t place = 0; place < probed_kinds; ++place) {
    const auto kind = static_cast<Collective>(place);
    const double hop = kind == Collective::one_sided ? costs.one_sided_hop_seconds : costs.hop_seconds;
    if (!(hop >= 0 && costs.byte_seconds[place][0] >= 0)) continue;
    const predict::CallCheck& check = transport.checks[place];
    const double start = kind == Collective::one_sided ? 0 : costs.start_seconds;
    table.rows.push_back(
        {name, std::string(name_of(kind)), count_cell(costs.largest_group), seconds_cell(start),
         seconds_cell(hop), bandwidth_cell(costs.seconds_of_bytes(kind, large)),
         bandwidth_cell(costs.seconds_of_own_bytes(kind, large)), share_of(check.median_error),
         share_of(check.highest_error), share_of(check.error_a_doubling),
         Cell(check.is_assumed ? "yes" : "no", check.is_assumed)});
  }
}

}  // namespace

std::string range_of(const statistics::Interval& seconds) {
  return fmt::format("{} ({}–{})", format_seconds(seconds.centre), format_seconds(seconds.low),
                     format_seconds(seconds.high));
}

const DeclaredTable declared_curve{
    {.command = "predict",
     .title = "The best configuration on each number of GPUs; 95 % intervals",
     .page = "predict.md",
     .columns = {columns::gpus, columns::strategy, columns::precision.headed("Precision"),
                 columns::step_seconds.headed("Step"), columns::samples_per_second, columns::speedup,
                 columns::efficiency, columns::amdahl, columns::link, columns::gpu_hours_a_million,
                 columns::cost_a_million, columns::verdict, columns::basis}}};

ReportTable curve_table(const std::vector<predict::ScalePoint>& points, double price_an_hour) {
  ReportTable table = declared_curve.empty();
  if (!(price_an_hour > 0))
    std::erase_if(table.columns, [](const Column& column) { return column.key == "cost_a_million"; });
  for (const predict::ScalePoint& point : points) {
    const predict::Configuration& best = point.best;
    const double cost = price_an_hour * point.gpu_hours_a_million;
    table.rows.push_back({count_cell(best.what.gpus), best.what.strategy.word(), best.what.precision.word(),
                          Cell(range_of(best.seconds), best.seconds.centre),
                          Cell(format_rate(best.samples_per_second), best.samples_per_second),
                          ratio_cell(best.speedup), share_cell(point.efficiency), ratio_cell(point.amdahl),
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

ReportTable curve_data(const std::vector<predict::ScalePoint>& points, double price_an_hour) {
  ReportTable table = declared_curve_rows.empty();
  if (!(price_an_hour > 0)) table.columns.pop_back();
  for (const predict::ScalePoint& point : points) {
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

ReportTable measured_data(const std::vector<predict::ScalePoint>& points) {
  ReportTable table = declared_measured.empty();
  for (const predict::ScalePoint& point : points)
    if (point.measured) append(data_of(*point.measured), table);
  return table;
}

DeclaredColumns term_columns() {
  DeclaredColumns columns;
  for (const predict::StepTermInfo& term : predict::step_terms)
    columns.push_back(number(term.name, term.name, "s", term.meaning));
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

const DeclaredTable declared_calls{
    {.command = "predict",
     .json = "calls",
     .title = "Calls: the formula that was fitted to the measured ones, and its error on them",
     .page = "predict.md",
     .columns = {columns::transport.headed("Transport"), words("call", "Call", "operation"),
                 number("ranks", "Up to\nranks", "", "of the largest measured group"),
                 number("start_seconds", "Start", "s", "of a call"),
                 number("hop_seconds", "A hop\n(alpha)", "s", "from rank to rank"),
                 number("link_bytes_per_second", "beta at\n64 MiB", "bytes/s", "on the links"),
                 number("own_bytes_per_second", "gamma at\n64 MiB", "bytes/s", "within the GPU"),
                 number("median_error", "Error,\nmedian", "share", "of the formula on measured calls"),
                 number("highest_error", "highest", "share", "of the same errors"),
                 number("error_a_doubling", "A doubling,\n95 %", "share",
                        "for each doubling of ranks beyond the measured"),
                 words("is_assumed", "Assumed", "whether that error is assumed")}}};

ReportTable calls_table(const predict::ScaleModel& model) {
  ReportTable table = declared_calls.empty();
  for (const auto& [name, transport] : model.transports_known()) add_calls(name, transport, table);
  return table;
}

}  // namespace breakeven::report
