// SPDX-License-Identifier: Apache-2.0
// A row of a table that only machines read, gathered together with its columns, so that a value cannot stand
// under another's name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/table.h"

namespace breakeven {

struct TidyRow {
  std::vector<Column> columns;
  std::vector<Cell> cells;
  TidyRow& add(const std::string& key, Cell cell) {
    columns.push_back({.key = key, .header = key});
    cells.push_back(std::move(cell));
    return *this;
  }
  TidyRow& add(const std::string& key, double value) { return add(key, exact(value)); }
  TidyRow& add(const std::string& key, std::uint64_t value) { return add(key, exact(value)); }
  // Its centre, and both ends behind it.
  TidyRow& add(const std::string& key, const Interval& interval) {
    return add(key, interval.centre).add(key + "_low", interval.low).add(key + "_high", interval.high);
  }
};

// Every axis of the case, and its parameters (tidy.cpp).
void add_axes(const analysis::CaseSummary& summary, TidyRow& row);

// Its loss budget, where the summary is what its case is timed by (loss_budget.cpp).
void add_budget(const analysis::SummaryResult& result, TidyRow& row);

// The bounds of its speed-up, likewise (bounds.cpp).
void add_bounds(const analysis::SummaryResult& result, TidyRow& row);

// What a sample takes of GPU time, money and energy; its gains likewise (costs.cpp).
void add_costs(const analysis::SummaryResult& result, const analysis::FileAnalysis& analysis, TidyRow& row);

// What `auto` chose for it, where the summary is what such a case is timed by (choices.cpp).
void add_choice(const analysis::CaseSummary& summary, const analysis::FileAnalysis& analysis, TidyRow& row);

// The row has the columns that the table declares, in their order.
inline void append(TidyRow row, ReportTable& table) {
  for (std::size_t c = 0; c < std::max(row.columns.size(), table.columns.size()); ++c) {
    if (c >= row.columns.size() || c >= table.columns.size() || row.columns[c].key != table.columns[c].key)
      throw std::logic_error("a row has another column than its table declares, behind '" +
                             (c == 0 ? std::string() : row.columns[c - 1].key) + "'");
  }
  table.rows.push_back(std::move(row.cells));
}

}  // namespace breakeven
