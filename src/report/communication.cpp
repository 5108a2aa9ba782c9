// SPDX-License-Identifier: Apache-2.0
// The breakdown of communication, by phase and by rank.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "src/report/columns.h"
#include "src/report/numbers.h"
#include "src/report/phase_names.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

constexpr std::size_t batches_a_table = 5;  // as many as fit beside the names

// The lines of one strategy whose phases were measured, at most batches_a_table of them.
using Sweep = std::vector<const analysis::CaseSummary*>;

std::vector<std::pair<std::string, Sweep>> sweeps_of(const analysis::Group& group) {
  std::vector<std::pair<std::string, Sweep>> sweeps;
  for (const analysis::CaseResult& line : group.lines) {
    const analysis::CaseSummary* phases = line.measured->phases;
    if (phases == nullptr || phases->done.empty()) continue;
    const std::string name = strategy_of(line.measured->what, group);
    const auto open = std::find_if(sweeps.begin(), sweeps.end(), [&](const auto& sweep) {
      return sweep.first == name && sweep.second.size() < batches_a_table;
    });
    if (open == sweeps.end()) {
      sweeps.emplace_back(name, Sweep{phases});
    } else {
      open->second.push_back(phases);
    }
  }
  return sweeps;
}

void add_batch_columns(const Sweep& sweep, ReportTable& table) {
  for (const analysis::CaseSummary* phases : sweep) {
    const std::string batch = fmt::format("{}", phases->what.batch);
    table.columns.push_back({"batch_" + batch, "Batch " + batch, Align::right});
  }
}

double communication_seconds(const analysis::PhaseSeconds& seconds) {
  double total = 0;
  for (const PhaseTitle& title : communication_phases) total += seconds[index_of(title.phase)];
  return total;
}

using Number = std::function<std::string(const analysis::CaseSummary&)>;
void add_row(const std::string& title, std::string_view ours, const Sweep& sweep, const Number& number,
             ReportTable& table) {
  std::vector<Cell> row{title, ours};
  for (const analysis::CaseSummary* phases : sweep) row.emplace_back(number(*phases));
  table.rows.push_back(std::move(row));
}

std::string staleness_of(const analysis::CaseSummary& phases) {
  const analysis::Readings& readings = phases.readings;
  if (!std::isfinite(readings.mean_staleness)) return std::string(dash);
  return fmt::format("{:.2f} / {:.0f}", readings.mean_staleness, readings.highest_staleness);
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
ReportTable over_batches(const DeclaredTable& declared, const std::string& name, const Sweep& sweep) {
  ReportTable table = declared.empty();
  table.title = fmt::format(fmt::runtime(table.title), name);
  table.columns.pop_back();
  add_batch_columns(sweep, table);
  return table;
}

ReportTable communication_table(const std::string& name, const Sweep& sweep) {
  ReportTable table = over_batches(declared_breakdown, name, sweep);
  for (const PhaseTitle& title : communication_phases) {
    add_row(
        std::string(title.title), name_of(title.phase), sweep,
        [&](const analysis::CaseSummary& phases) {
          return format_seconds(phases.phases.mean[index_of(title.phase)]);
        },
        table);
  }
  add_row(
      "Total overhead", "", sweep,
      [](const analysis::CaseSummary& phases) {
        return format_seconds(communication_seconds(phases.phases.mean));
      },
      table);
  add_row(
      "Share of the step", "", sweep,
      [](const analysis::CaseSummary& phases) {
        return format_percent(communication_seconds(phases.phases.mean) /
                              phases.phases.mean[index_of(Phase::step)]);
      },
      table);
  add_row(
      "Payload of one GPU", "", sweep,
      [](const analysis::CaseSummary& phases) { return format_bytes(phases.readings.exchange_bytes); },
      table);
  add_row(
      "Payload / exchange time", "", sweep,
      [](const analysis::CaseSummary& phases) {
        return format_bandwidth(phases.readings.exchange_bytes /
                                phases.phases.mean[index_of(Phase::exchange)]);
      },
      table);
  const auto is_stale = [](const analysis::CaseSummary* phases) {
    return phases->readings.mean_staleness >= 0;
  };
  if (std::ranges::any_of(sweep, is_stale)) {
    add_row("Staleness, mean / highest", "", sweep, staleness_of, table);
  }
  return table;
}

ReportTable rank_table(const std::string& name, const Sweep& sweep) {
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

}  // namespace breakeven
