// SPDX-License-Identifier: Apache-2.0
// What a table is, declared once: its columns with their units and meanings. Text, markdown, CSV, JSON and
// the dictionary of all printed numbers are made from the declaration. Declaring a table is all that it takes
// to be in the dictionary.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/words_of.h"
#include "src/report/format/table.h"

namespace breakeven::report {

// What stands under a key in JSON. `other`: what further declarations describe. `texts`: a list of texts.
// `named_texts`: an object with a text under each name.
enum class JsonType { other, text, number, integer, truth, texts, named_texts };

}  // namespace breakeven::report

// A specialisation stands in the namespace of what it specialises.
namespace breakeven {
template <>
inline constexpr std::array<std::string_view, 7> words_of<report::JsonType>{
    "other", "text", "number", "integer", "truth", "texts", "named_texts"};
}  // namespace breakeven

namespace breakeven::report {

// A column as a declaration writes it. There is no rule for its width: text makes every column as wide as its
// widest line, and breaks a header only where it has a "\n".
struct DeclaredColumn : Column {
  bool has_interval = false;  // CSV and JSON have KEY_low and KEY_high too: the ends of the 95 % interval
  bool is_elsewhere = false;  // not on every machine, or not in every launch
  JsonType type = JsonType::other;
  bool is_always_known = false;  // never null in JSON

  DeclaredColumn headed(std::string_view other) const { return with(&Column::header, other); }
  DeclaredColumn meant(std::string_view other) const { return with(&Column::meaning, other); }
  DeclaredColumn left() const { return with(&Column::align, Align::left); }
  DeclaredColumn right() const { return with(&Column::align, Align::right); }
  DeclaredColumn with_interval() const {
    return with(&DeclaredColumn::has_interval, true).typed(JsonType::number);
  }
  DeclaredColumn elsewhere() const { return with(&DeclaredColumn::is_elsewhere, true); }
  DeclaredColumn typed(JsonType other) const { return with(&DeclaredColumn::type, other); }
  DeclaredColumn always_known() const { return with(&DeclaredColumn::is_always_known, true); }

 private:
  DeclaredColumn with(auto member, const auto& value) const {
    DeclaredColumn column = *this;
    column.*member = value;
    return column;
  }
};

// Their types are text and number.
DeclaredColumn words(std::string_view key, std::string_view header, std::string_view meaning);
DeclaredColumn number(std::string_view key, std::string_view header, std::string_view unit,
                      std::string_view meaning);
// One that only machines read: a number if it has a unit.
DeclaredColumn datum(std::string_view key, std::string_view unit, std::string_view meaning);

struct TableDeclaration {
  std::string_view command{};  // that prints it; "": several
  std::string_view json{};   // where its rows stand in JSON, as "launches.links"; "": only people read it, or
                             // it is the whole JSON. A "*" is every name there
  std::string_view title{};  // "{}" stands for what differs; "": only machines read it
  std::string_view page{};   // of docs/, with the formulas
  bool is_one = false;       // JSON has one object, not a list of rows
  std::string_view format{};  // of the whole JSON: what it is
  int version = 0;  // of the whole JSON: raised where a key goes, changes its meaning, or readers need a
                    // new one
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
