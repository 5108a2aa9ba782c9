// SPDX-License-Identifier: Apache-2.0
#include "src/report/declared_table.h"

#include <algorithm>
#include <tuple>

namespace breakeven::report {
namespace {

// Within a function, so that it is there before the first table of any file.
std::vector<const DeclaredTable*>& registry() {
  static std::vector<const DeclaredTable*> tables;
  return tables;
}

DeclaredColumn column_of(std::string_view key, std::string_view header, Align align, std::string_view unit,
                         std::string_view meaning) {
  return {{.key = std::string(key),
           .header = std::string(header),
           .align = align,
           .unit = std::string(unit),
           .meaning = std::string(meaning)}};
}

}  // namespace

DeclaredColumn DeclaredColumn::headed(std::string_view other) const {
  DeclaredColumn column = *this;
  column.header = other;
  return column;
}

DeclaredColumn DeclaredColumn::meant(std::string_view other) const {
  DeclaredColumn column = *this;
  column.meaning = other;
  return column;
}

DeclaredColumn DeclaredColumn::left() const {
  DeclaredColumn column = *this;
  column.align = Align::left;
  return column;
}

DeclaredColumn DeclaredColumn::right() const {
  DeclaredColumn column = *this;
  column.align = Align::right;
  return column;
}

DeclaredColumn DeclaredColumn::with_interval() const {
  DeclaredColumn column = *this;
  column.has_interval = true;
  return column;
}

DeclaredColumn DeclaredColumn::elsewhere() const {
  DeclaredColumn column = *this;
  column.is_elsewhere = true;
  return column;
}

DeclaredColumn words(std::string_view key, std::string_view header, std::string_view meaning) {
  return column_of(key, header, Align::left, "", meaning);
}

DeclaredColumn number(std::string_view key, std::string_view header, std::string_view unit,
                      std::string_view meaning) {
  return column_of(key, header, Align::right, unit, meaning);
}

DeclaredColumn datum(std::string_view key, std::string_view unit, std::string_view meaning) {
  return column_of(key, "", Align::right, unit, meaning);
}

DeclaredTable::DeclaredTable(TableDeclaration declaration) : declaration_(std::move(declaration)) {
  registry().push_back(this);
}

DeclaredTable::~DeclaredTable() { std::erase(registry(), this); }

ReportTable DeclaredTable::empty() const {
  ReportTable table{std::string(declaration_.title), {}, {}};
  for (const DeclaredColumn& column : declaration_.columns) {
    table.columns.push_back(column);
    if (!column.has_interval) continue;
    for (const char* end : {"_low", "_high"}) {
      table.columns.push_back(column);
      table.columns.back().key += end;
    }
  }
  return table;
}

DeclaredColumns joined(std::vector<DeclaredColumns> parts) {
  DeclaredColumns columns;
  for (DeclaredColumns& part : parts) std::ranges::move(part, std::back_inserter(columns));
  return columns;
}

std::vector<const DeclaredTable*> declared_tables() {
  std::vector<const DeclaredTable*> tables = registry();
  std::ranges::stable_sort(tables, {}, [](const DeclaredTable* table) {
    const TableDeclaration& one = table->declaration();
    return std::tuple(one.command, one.title.empty(), one.title, one.json);
  });
  return tables;
}

}  // namespace breakeven::report
