// SPDX-License-Identifier: Apache-2.0
// The breakdown of communication, by phase and by rank.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/sections/sections.h"

namespace breakeven::report {
namespace {

constexpr std::size_t batches_a_table = 5;  // as many as fit beside the names

// The lines of one strategy whose phases were measured, at most batches_a_table of them.
using CaseSweep = std::vector<const analysis::CaseSummary*>;

std::vector<std::pair<std::string, CaseSweep>> sweeps_of(const analysis::Group& group) {
  std::vector<std::pair<std::string, CaseSweep>> sweeps;
  for (const analysis::CaseResult& line : group.lines) {
    const analysis::CaseSummary* phases = line.measured->phases;
    if (!analysis::is_done(phases)) continue;
    const std::string name = strategy_of(line.measured->what, group);
    const auto open = std::find_if(sweeps.begin(), sweeps.end(), [&](const auto& sweep) {
      return sweep.first == name && sweep.second.size() < batches_a_table;
    });
    if (open == sweeps.end()) {
      sweeps.emplace_back(name, CaseSweep{phases});
    } else {
      open->second.push_back(phases);
    }
  }
  return sweeps;
}

void add_batch_columns(const CaseSweep& sweep, ReportTable& table) {
  for (const analysis::CaseSummary* phases : sweep) {
    const std::string batch = fmt::format("{}", phases->what.batch);
    table.columns.push_back({"batch_" + batch, "Batch " + batch, Align::right});
  }
}

double communication_seconds(const analysis::CaseSummary& one) {
  double total = 0;
  for (const PhaseInfo& info : phases) {
    if (info.is_communication) total += one.phases.mean[index_of(info.phase)];
  }
  return total;
}

std::string staleness_of(const analysis::CaseSummary& phases) {
  const auto reduced = [&](hdf5::Reduction reduction) {
    return analysis::reduced(phases.done, &RunRecord::staleness, reduction);
  };
  const double mean = reduced(hdf5::Reduction::mean);
  return std::isfinite(mean) ? fmt::format("{:.2f} / {:.0f}", mean, reduced(hdf5::Reduction::highest))
                             : std::string(dash);
}

const DeclaredTable declared_breakdown{
    {.command = "report",
     .title = "Communication cost breakdown, {}: a step, mean over runs, steps and ranks",
     .page = "report.md#communication",
     .columns = {words("operation", "Operation", "the articles' name of the phase"),
                 words("phase", "Phase", "of the step, or the step"),
                 number("at_batch", "Batch N", "s, bytes", "at that batch")}}};
const DeclaredTable declared_by_rank{
    {.command = "report",
     .title = "Exchange / wait by rank, {}: a step, mean over runs and steps",
     .page = "report.md#communication",
     .columns = {columns::rank,
                 number("at_batch", "Batch N", "s", "in the exchange / waiting, at that batch")}}};

// With a column for each batch of the sweep in place of the one that stands for them.
ReportTable over_batches(const DeclaredTable& declared, const std::string& name, const CaseSweep& sweep) {
  ReportTable table = declared.empty();
  table.title = fmt::format(fmt::runtime(table.title), name);
  table.columns.pop_back();
  add_batch_columns(sweep, table);
  return table;
}

struct BreakdownRow {
  std::string_view title;
  std::string_view phase;  // "": none by itself
  std::function<std::string(const analysis::CaseSummary&)> number;
};

std::vector<BreakdownRow> rows_of(const CaseSweep& sweep) {
  std::vector<BreakdownRow> rows;
  for (const PhaseInfo& info : phases) {
    if (!info.is_communication) continue;
    rows.push_back({info.label, info.name, [phase = info.phase](auto& one) {
                      return format_seconds(one.phases.mean[index_of(phase)]);
                    }});
  }
  rows.push_back(
      {"Total communication", "", [](auto& one) { return format_seconds(communication_seconds(one)); }});
  rows.push_back({"Share of the step", "", [](auto& one) {
                    return format_percent(communication_seconds(one) /
                                          one.phases.mean[index_of(Phase::step)]);
                  }});
  rows.push_back(
      {"Payload of one GPU", "", [](auto& one) { return format_bytes(one.readings.exchange_bytes); }});
  rows.push_back({"Payload / exchange time", "", [](auto& one) {
                    return format_bandwidth(one.readings.exchange_bytes /
                                            one.phases.mean[index_of(Phase::exchange)]);
                  }});
  const auto is_stale = [](auto* one) { return staleness_of(*one) != dash; };
  if (std::ranges::any_of(sweep, is_stale)) rows.push_back({"Staleness, mean / highest", "", staleness_of});
  return rows;
}

ReportTable communication_table(const std::string& name, const CaseSweep& sweep) {
  ReportTable table = over_batches(declared_breakdown, name, sweep);
  for (const BreakdownRow& row : rows_of(sweep)) {
    std::vector<Cell> cells{row.title, row.phase};
    for (const analysis::CaseSummary* phases : sweep) cells.emplace_back(row.number(*phases));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

ReportTable rank_table(const std::string& name, const CaseSweep& sweep) {
  ReportTable table = over_batches(declared_by_rank, name, sweep);
  for (std::size_t rank = 0; rank < sweep.front()->phases.by_rank.size(); ++rank) {
    std::vector<Cell> row{fmt::format("{}", rank)};
    for (const analysis::CaseSummary* phases : sweep) {
      const analysis::PhaseSeconds& seconds = phases->phases.by_rank[rank];
      row.emplace_back(fmt::format("{} / {}", format_seconds(seconds[index_of(Phase::exchange)]),
                                   format_seconds(seconds[index_of(Phase::wait)])));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<ReportTable> communication_tables(const analysis::Group& group) {
  std::vector<ReportTable> tables;
  for (const auto& [name, sweep] : sweeps_of(group)) tables.push_back(communication_table(name, sweep));
  return tables;
}

std::vector<ReportTable> rank_tables(const analysis::Group& group) {
  std::vector<ReportTable> tables;
  for (const auto& [name, sweep] : sweeps_of(group)) tables.push_back(rank_table(name, sweep));
  return tables;
}

}  // namespace breakeven::report
