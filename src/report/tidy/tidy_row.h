// SPDX-License-Identifier: Apache-2.0
// Tables mostly for programs: each column is declared together with the function that fills it, so that a
// value cannot stand under another's name.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/format/cells.h"
#include "src/report/format/declared_table.h"

namespace breakeven::report {

struct TidyRow {
  std::vector<std::string> keys;
  std::vector<Cell> cells;
  TidyRow& add(const std::string& key, Cell cell);
  template <typename Number>
  requires std::is_arithmetic_v<Number> TidyRow& add(const std::string& key, Number value) {
    if constexpr (std::is_same_v<Number, bool> || std::is_floating_point_v<Number>)
      return add(key, exact(value));
    else
      return add(key, count_cell(value));
  }
  // Its centre, and both ends behind it.
  TidyRow& add(const std::string& key, const statistics::Interval& interval);
};

// The row must have the columns that the table declares, in their order.
void append(TidyRow row, ReportTable& table);

// The column with the type of its values. A cell may hold any: the column says it.
template <typename Value>
DeclaredColumn with_type(const DeclaredColumn& column) {
  if constexpr (std::is_same_v<Value, statistics::Interval>)
    return column.with_interval();
  else if constexpr (std::is_floating_point_v<Value>)
    return column.typed(JsonType::number);
  else if constexpr (std::is_same_v<Value, bool>)
    return column.typed(JsonType::truth).always_known();
  else if constexpr (std::is_integral_v<Value>)
    return column.typed(JsonType::integer).always_known();
  else if constexpr (std::is_same_v<Value, Cell>)
    return column;
  else
    return column.typed(JsonType::text).always_known();
}

// A column and its value, or several columns and what adds their values. `Of` is what a row is about.
template <typename Of>
struct TidyPart {
  template <typename Get>
  TidyPart(const DeclaredColumn& column, Get get)
      : columns{with_type<std::remove_cvref_t<std::invoke_result_t<Get, const Of&>>>(column)} {
    add = [key = column.key, get](const Of& of, TidyRow& row) { row.add(key, std::invoke(get, of)); };
  }
  TidyPart(DeclaredColumns columns, std::function<void(const Of&, TidyRow&)> add)
      : columns(std::move(columns)), add(std::move(add)) {}

  DeclaredColumns columns;
  std::function<void(const Of&, TidyRow&)> add;
};

template <typename Of>
class TidyTable {
 public:
  TidyTable(TableDeclaration declaration, std::vector<TidyPart<Of>> parts)
      : parts_(std::move(parts)), declared_(with_columns(std::move(declaration), parts_)) {}

  ReportTable empty() const { return declared_.empty(); }
  void add(const Of& of, ReportTable& table) const {
    TidyRow row;
    for (const TidyPart<Of>& part : parts_) part.add(of, row);
    append(std::move(row), table);
  }
  ReportTable of(const std::vector<Of>& all) const {
    ReportTable table = empty();
    for (const Of& one : all) add(one, table);
    return table;
  }

 private:
  static TableDeclaration with_columns(TableDeclaration declaration, const std::vector<TidyPart<Of>>& parts) {
    for (const TidyPart<Of>& part : parts)
      declaration.columns.insert(declaration.columns.end(), part.columns.begin(), part.columns.end());
    return declaration;
  }

  std::vector<TidyPart<Of>> parts_;
  DeclaredTable declared_;
};

// The axes that the cases of one answer share: batches and timings differ.
inline constexpr auto answer_axes = axes_but<Axis::batch, Axis::timing, Axis::chosen>();
DeclaredColumns answer_axis_columns();

// Every axis of the case, and its parameters. Their columns are axis_columns() of columns.h.
void add_axes(const analysis::CaseSummary& summary, TidyRow& row);

// Seconds of each phase but the step itself. Their columns are phase_columns() of columns.h.
void add_phases(const analysis::PhaseSeconds& seconds, TidyRow& row);

// The per-step variables with these reductions, as their rows in src/hdf5/measured_variables.cpp declare
// them, and their values in these runs on one rank or on all.
using Reductions = std::span<const hdf5::Reduction>;
inline constexpr std::array over_steps{hdf5::Reduction::mean, hdf5::Reduction::highest};
inline constexpr std::array at_the_end{hdf5::Reduction::final_sum};
DeclaredColumns step_columns(Reductions reductions);
void add_steps(Reductions reductions, const std::vector<const RecordedRun*>& runs, std::size_t rank,
               TidyRow& row);

// As the report for people lists the cases, timed by whole steps before timed by phases.
std::vector<const analysis::CaseSummary*> summaries_in_order(const analysis::FileAnalysis& analysis);

// The loss budget of the case, if this summary times it (loss_budget.cpp).
void add_budget(const analysis::SummaryResult& result, TidyRow& row);

// One GPU that is faster than the baseline of the case, if this summary times it (faster_single.cpp).
void add_faster_single(const analysis::SummaryResult& result, TidyRow& row);

// The choice of `auto` for the case, if this summary times it (autotuning.cpp).
void add_choice(const analysis::CaseSummary& summary, const analysis::FileAnalysis& analysis, TidyRow& row);

}  // namespace breakeven::report
