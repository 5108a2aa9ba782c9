// SPDX-License-Identifier: Apache-2.0
#include "src/report/format/declared_table.h"

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
                         std::string_view meaning, JsonType type) {
  DeclaredColumn column{{.key = std::string(key),
                         .header = std::string(header),
                         .align = align,
                         .unit = std::string(unit),
                         .meaning = std::string(meaning)}};
  column.type = type;
  return column;
}

}  // namespace

DeclaredColumn words(std::string_view key, std::string_view header, std::string_view meaning) {
  return column_of(key, header, Align::left, "", meaning, JsonType::text);
}

DeclaredColumn number(std::string_view key, std::string_view header, std::string_view unit,
                      std::string_view meaning) {
  return column_of(key, header, Align::right, unit, meaning, JsonType::number);
}

DeclaredColumn datum(std::string_view key, std::string_view unit, std::string_view meaning) {
  return column_of(key, "", Align::right, unit, meaning, unit.empty() ? JsonType::other : JsonType::number);
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
  // By all that tells tables apart: the order in which files register theirs is the linker's.
  std::ranges::sort(tables, {}, [](const DeclaredTable* table) {
    const TableDeclaration& one = table->declaration();
    return std::tuple(one.command, one.title.empty(), one.title, one.json, one.format, one.page,
                      one.columns.empty() ? std::string_view() : std::string_view(one.columns.front().key));
  });
  return tables;
}

}  // namespace breakeven::report
