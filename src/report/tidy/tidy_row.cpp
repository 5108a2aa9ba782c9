// SPDX-License-Identifier: Apache-2.0
#include "src/report/tidy/tidy_row.h"

#include <algorithm>
#include <stdexcept>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"

namespace breakeven::report {

TidyRow& TidyRow::add(const std::string& key, Cell cell) {
  keys.push_back(key);
  cells.push_back(std::move(cell));
  return *this;
}

TidyRow& TidyRow::add(const std::string& key, const statistics::Interval& interval) {
  return add(key, interval.centre).add(key + "_low", interval.low).add(key + "_high", interval.high);
}

void append(TidyRow row, ReportTable& table) {
  std::vector<std::string> declared;
  for (const Column& column : table.columns) declared.push_back(column.key);
  const auto [added, other] = std::ranges::mismatch(row.keys, declared);
  if (added != row.keys.end() || other != declared.end()) {
    throw std::logic_error("a row has another column than its table declares: '" +
                           (added == row.keys.end() ? *other : *added) + "'");
  }
  table.rows.push_back(std::move(row.cells));
}

DeclaredColumn axis_column(Axis axis) {
  const AxisInfo& info = info_of(axis);
  const bool is_number = std::holds_alternative<std::uint32_t Case::*>(info.member) ||
                         std::holds_alternative<int Case::*>(info.member);
  const DeclaredColumn column = number(info.key, info.label, info.unit, info.meaning);
  if (is_number) return column.typed(JsonType::integer);
  const bool is_truth = std::holds_alternative<bool Case::*>(info.member);
  return column.left().typed(is_truth ? JsonType::truth : JsonType::text);
}

DeclaredColumns axis_columns() {
  DeclaredColumns columns;
  for (const AxisInfo& info : axes()) {
    if (info.axis == Axis::chosen) columns.push_back(columns::parameters);  // belongs to the model
    columns.push_back(axis_column(info.axis));
  }
  return columns;
}

DeclaredColumns answer_axis_columns() {
  DeclaredColumns columns;
  for (const Axis axis : answer_axes) columns.push_back(axis_column(axis));
  return columns;
}

void add_axes(const analysis::CaseSummary& summary, TidyRow& row) {
  for (const AxisInfo& info : axes()) {
    if (info.axis == Axis::chosen) row.add("parameters", summary.parameters);
    row.add(std::string(info.key), axis_cell(info.axis, summary.what));
  }
}

void add_phases(const analysis::PhaseSeconds& seconds, TidyRow& row) {
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step)
      row.add(std::string(info.name) + "_seconds", seconds[index_of(info.phase)]);
  }
}

DeclaredColumns phase_columns() {
  DeclaredColumns columns;
  for (const PhaseInfo& info : phases) {
    if (info.phase != Phase::step)
      columns.push_back(datum(std::string(info.name) + "_seconds", "s", info.covers));
  }
  return columns;
}

namespace {

std::vector<hdf5::StepColumn> reduced_by(Reductions reductions) {
  std::vector<hdf5::StepColumn> columns = hdf5::step_columns();
  std::erase_if(columns, [&](const hdf5::StepColumn& column) {
    return std::ranges::find(reductions, column.reduction) == reductions.end();
  });
  return columns;
}

}  // namespace

DeclaredColumns step_columns(Reductions reductions) {
  DeclaredColumns columns;
  for (const hdf5::StepColumn& column : reduced_by(reductions))
    columns.push_back(number(column.key, "", column.unit, column.meaning));
  return columns;
}

void add_steps(Reductions reductions, const std::vector<const RecordedRun*>& runs, std::size_t rank,
               TidyRow& row) {
  for (const hdf5::StepColumn& column : reduced_by(reductions))
    row.add(std::string(column.key), analysis::reduced(runs, column.values, column.reduction, rank));
}

std::vector<const analysis::CaseSummary*> summaries_in_order(const analysis::FileAnalysis& analysis) {
  std::vector<const analysis::CaseSummary*> summaries;
  for (const analysis::Group& group : analysis.groups()) {
    for (const analysis::CaseResult& result : group.cases) {
      for (const analysis::CaseSummary* summary : {result.measured->total, result.measured->phases}) {
        if (summary != nullptr) summaries.push_back(summary);
      }
    }
  }
  return summaries;
}

}  // namespace breakeven::report
