// SPDX-License-Identifier: Apache-2.0
// A table that is a section of the report by itself. Each stands in a file of its own,
// src/report/tables/NAME.cpp, as NAME_section; nothing else has to name it.
#pragma once

#include "src/report/format/declared_table.h"
#include "src/report/sections/group_words.h"

namespace breakeven::report {

using TableRows = std::vector<std::vector<Cell>>;

struct TableSection {
  DeclaredTable table;     // with a key for JSON, its rows are in the report's JSON too; the title's "{}" is
                           // what the intervals of step times cover
  std::string_view after;  // name of the section behind which it is printed
  std::string_view name;   // of --sections
  std::string_view holds;  // in a few words
  TableRows (*rows)(const analysis::FileAnalysis&, const analysis::Group&);
  std::vector<std::string_view> notes = {};  // behind the rows: what they mean
  bool in_brief = false;                     // also in a brief report of one model, if the rows are few

  ReportTable filled(const analysis::FileAnalysis& analysis, const analysis::Group& group) const;
};

#define REPORT_TABLE(name) extern const TableSection name##_section;
#include "report_tables.inc"
#undef REPORT_TABLE

const std::vector<const TableSection*>& table_sections();

}  // namespace breakeven::report
