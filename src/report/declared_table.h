// SPDX-License-Identifier: Apache-2.0
// What a table is, declared once: its columns with their units and meanings. Text, markdown, CSV, JSON and
// the dictionary of all printed numbers are made from the declaration. Declaring a table is all that it takes
// to be in the dictionary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/report/table.h"

namespace breakeven::report {

// A column as a declaration writes it. There is no rule for its width: text makes every column as wide as its
// widest line, and breaks a header only where it has a "\n".
struct DeclaredColumn : Column {
  bool has_interval = false;  // CSV and JSON have KEY_low and KEY_high too: the ends of the 95 % interval
  bool is_elsewhere = false;  // not on every machine, or not in every launch

  DeclaredColumn headed(std::string_view other) const;
  DeclaredColumn meant(std::string_view other) const;
  DeclaredColumn left() const;
  DeclaredColumn right() const;
  DeclaredColumn with_interval() const;
  DeclaredColumn elsewhere() const;
};

DeclaredColumn words(std::string_view key, std::string_view header, std::string_view meaning);
DeclaredColumn number(std::string_view key, std::string_view header, std::string_view unit,
                      std::string_view meaning);
// One that only machines read.
DeclaredColumn datum(std::string_view key, std::string_view unit, std::string_view meaning);

struct TableDeclaration {
  std::string_view command{};  // that prints it; "": several
  std::string_view json{};     // key of its rows in JSON; "": only people read it
  std::string_view title{};    // "{}" stands for what differs; "": only machines read it
  std::string_view page{};     // of docs/, with the formulas
  std::vector<DeclaredColumn> columns{};
};

// One of these stands beside the function that fills the table's rows.
class DeclaredTable {
 public:
  explicit DeclaredTable(TableDeclaration declaration);
  ~DeclaredTable();
  DeclaredTable(const DeclaredTable&) = delete;
  DeclaredTable& operator=(const DeclaredTable&) = delete;

  ReportTable empty() const;  // with title and columns, but no rows
  const TableDeclaration& declaration() const { return declaration_; }

 private:
  TableDeclaration declaration_;
};

using DeclaredColumns = std::vector<DeclaredColumn>;
DeclaredColumns joined(std::vector<DeclaredColumns> parts);

std::vector<const DeclaredTable*> declared_tables();  // by command, then as they are declared

// All of them with their columns, units and meanings (dictionary.cpp). In markdown a column of several tables
// stands once.
std::string dictionary_as_json();
std::string dictionary_as_markdown();

}  // namespace breakeven::report
