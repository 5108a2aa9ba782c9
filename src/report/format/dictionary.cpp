// SPDX-License-Identifier: Apache-2.0
// Every table that the program prints, with its columns, their units and their meanings.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/report/format/columns.h"
#include "src/report/format/declared_table.h"
#include "src/report/json_report.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

const DeclaredTable declared_dictionary{
    {.command = "report",
     .page = "numbers.md",
     .format = "breakeven columns",
     .version = 2,
     .columns = {columns::format, columns::version, datum("tables", "", "of all commands, by `--columns`")}}};
const DeclaredTable declared_tables_as_rows{
    {.command = "report",
     .json = "tables",
     .page = "numbers.md",
     .columns = {
         words("command", "", "that prints the table; empty: several"),
         words("title", "", "of the printed table; empty: only machines read it"),
         words("json", "", "where its rows stand in JSON: `launches.links`; empty: the whole, or nowhere"),
         words("page", "", "of docs/"),
         datum("is_one", "", "whether JSON has one object, not a list").typed(JsonType::truth),
         words("format", "", "of the whole JSON: its `format`"),
         number("version", "", "", "of the whole JSON: its `version`"),
         datum("columns", "", "of the table")}}};
const TidyTable<DeclaredColumn> column_rows(
    {.command = "report", .json = "tables.columns", .page = "numbers.md"},
    {{words("key", "", "of JSON and CSV"), [](auto& column) { return Cell(column.key); }},
     {words("header", "", "of text and markdown"),
      [](auto& column) { return Cell(in_one_line(column.header)); }},
     {words("unit", "", "of its values"), [](auto& column) { return Cell(column.unit); }},
     {words("meaning", "", "what it is"), [](auto& column) { return Cell(column.meaning); }},
     {datum("has_interval", "", "whether `KEY_low` and `KEY_high` follow").typed(JsonType::truth),
      [](auto& column) { return exact(column.has_interval); }},
     {datum("is_elsewhere", "", "whether only some launches have it").typed(JsonType::truth),
      [](auto& column) { return exact(column.is_elsewhere); }},
     {words("type", "", "in JSON"), [](auto& column) { return Cell(name_of(column.type)); }},
     {datum("is_always_known", "", "whether it is never null").typed(JsonType::truth),
      [](auto& column) { return exact(column.is_always_known); }}});

// Columns are one where key, unit and meaning are; their headers may differ.
using Identity = std::tuple<std::string, std::string, std::string>;
Identity identity_of(const DeclaredColumn& column) { return {column.key, column.unit, column.meaning}; }

struct Place {
  std::set<const DeclaredTable*> tables;
  std::set<std::string_view> commands;
  std::vector<std::string> headers;  // of people's tables
  bool is_data = false;              // CSV or JSON has its key
};
using Places = std::map<Identity, Place>;

bool is_data(const TableDeclaration& one) { return !one.json.empty() || one.title.empty(); }

Places places_of(const std::vector<const DeclaredTable*>& tables) {
  Places places;
  for (const DeclaredTable* table : tables) {
    const TableDeclaration& one = table->declaration();
    for (const DeclaredColumn& column : one.columns) {
      Place& place = places[identity_of(column)];
      place.tables.insert(table);
      place.commands.insert(one.command);
      place.is_data |= is_data(one);
      const std::string header = in_one_line(column.header) + (column.is_elsewhere ? " †" : "");
      if (!one.title.empty() && !column.header.empty() &&
          std::ranges::find(place.headers, header) == place.headers.end())
        place.headers.push_back(header);
    }
  }
  return places;
}

// "": of a table alone. "several": of several commands. Else of the command in whose several tables it
// stands.
std::string_view home_of(const Place& place) {
  if (place.commands.size() > 1 || place.commands.contains("")) return "several";
  return place.tables.size() > 1 ? *place.commands.begin() : "";
}

std::string in_backticks(std::string_view name) { return name.empty() ? "" : fmt::format("`{}`", name); }

// Rows with keys side by side that differ in nothing else are one row.
class Rows {
 public:
  void add(const DeclaredColumn& column, const Place& place) {
    add(fmt::format("{}", fmt::join(place.headers, "; ")), column, place.is_data);
  }

  void add(std::string first, const DeclaredColumn& column, bool has_key) {
    const std::string key = has_key ? in_backticks(column.key) : "";
    const Row row{.first = std::move(first),
                  .unit = std::string(column.unit),
                  .meaning = std::string(column.meaning),
                  .keys = {}};
    if (rows_.empty() || !rows_.back().is_like(row)) rows_.push_back(row);
    std::vector<std::string>& keys = rows_.back().keys;
    if (!key.empty() && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }

  std::string as_markdown(std::string_view head = "Printed") const {  // "": there is none
    if (rows_.empty()) return "";
    std::string text = fmt::format("\n|{}|Key|Unit|Meaning|\n|---|---|---|---|\n", head);
    for (const Row& row : rows_)
      text += fmt::format("|{}|{}|{}|{}|\n", row.first, fmt::join(row.keys, ", "), row.unit, row.meaning);
    return text;
  }

 private:
  struct Row {
    std::string first, unit, meaning;
    std::vector<std::string> keys;

    bool is_like(const Row& other) const {
      return first == other.first && unit == other.unit && meaning == other.meaning;
    }
  };
  std::vector<Row> rows_;
};

// The title's beginning: "Loss budget" of "Loss budget: a step's time ...".
std::string short_title(const TableDeclaration& one) {
  std::string title(one.title.substr(0, one.title.find_first_of(":;,")));
  for (std::size_t at = 0; (at = title.find("{}")) != std::string::npos;)
    title = fmt::format("{}N{}", title.substr(0, at), title.substr(at + 2));
  return title;
}

// Whether a key of the whole JSON holds rows that another declaration describes.
bool is_list(const TableDeclaration& one, const DeclaredColumn& column) {
  return one.json.empty() && std::ranges::any_of(declared_tables(), [&](const DeclaredTable* table) {
           return table->declaration().command == one.command && table->declaration().json == column.key;
         });
}

std::string section_of(const TableDeclaration& one, const Places& places) {
  Rows rows;
  for (const DeclaredColumn& column : one.columns) {
    const Place& place = places.at(identity_of(column));
    if (home_of(place).empty()) rows.add(column, place);
  }
  std::string text = fmt::format("\n### {}\n\n[{}]({}).", short_title(one), one.page, one.page);
  if (!one.json.empty()) text += fmt::format(" JSON `{}`.", one.json);
  return text + "\n" + rows.as_markdown();
}

// Only for programs: keys of the whole JSON, and columns of lists that are not printed as tables.
std::string json_section(const std::vector<const TableDeclaration*>& lists, const Places& places) {
  if (lists.empty()) return "";
  Rows rows;
  std::vector<std::string> pages, without_rows;
  for (const TableDeclaration* one : lists) {
    const std::string link = fmt::format("[{}]({})", one->page, one->page);
    if (std::ranges::find(pages, link) == pages.end()) pages.push_back(link);
    bool has_rows = false;
    for (const DeclaredColumn& column : one->columns) {
      if (!home_of(places.at(identity_of(column))).empty() || is_list(*one, column)) continue;
      rows.add(in_backticks(one->json), column, true);
      has_rows = true;
    }
    if (!has_rows && !one->json.empty()) without_rows.push_back(in_backticks(one->json));
  }
  std::string text = fmt::format("\n### JSON\n\n{}.", fmt::join(pages, ", "));
  if (!without_rows.empty())
    text += fmt::format(" Lists of columns explained above: {}.", fmt::join(without_rows, ", "));
  return text + "\n" + rows.as_markdown("List");
}

// Columns at home there, each once.
std::string shared_rows(std::string_view home, const std::vector<const DeclaredTable*>& tables,
                        const Places& places) {
  Rows rows;
  std::set<Identity> seen;
  for (const DeclaredTable* table : tables) {
    for (const DeclaredColumn& column : table->declaration().columns) {
      const Place& place = places.at(identity_of(column));
      if (home_of(place) == home && seen.insert(identity_of(column)).second) rows.add(column, place);
    }
  }
  return rows.as_markdown();
}

}  // namespace

std::string dictionary_as_json() {
  nlohmann::ordered_json tables = nlohmann::ordered_json::array();
  for (const DeclaredTable* table : declared_tables()) {
    const TableDeclaration& one = table->declaration();
    tables.push_back({{"command", one.command},
                      {"title", one.title},
                      {"json", one.json},
                      {"page", one.page},
                      {"is_one", one.is_one},
                      {"format", one.format},
                      {"version", one.version},
                      {"columns", render_json(column_rows.of(json_columns(one)))}});
  }
  const TableDeclaration& whole = declared_dictionary.declaration();
  const nlohmann::ordered_json all{
      {"format", whole.format}, {"version", whole.version}, {"tables", std::move(tables)}};
  return all.dump(1) + "\n";
}

std::string dictionary_as_markdown() {
  const std::vector<const DeclaredTable*> tables = declared_tables();
  const Places places = places_of(tables);
  std::string text = "## In several commands\n" + shared_rows("several", tables, places);
  std::map<std::string_view, std::string> sections_by_command;
  std::map<std::string_view, std::vector<const TableDeclaration*>> lists_by_command;
  for (const DeclaredTable* table : tables) {
    const TableDeclaration& one = table->declaration();
    if (one.command.empty()) continue;
    std::string& sections = sections_by_command[one.command];
    if (one.title.empty())
      lists_by_command[one.command].push_back(&one);
    else
      sections += section_of(one, places);
  }
  for (const auto& [command, sections] : sections_by_command) {
    const std::string shared = shared_rows(command, tables, places);
    text += fmt::format("\n## `breakeven {}`\n{}{}{}", command,
                        shared.empty() ? "" : "\nIn several tables:\n" + shared, sections,
                        json_section(lists_by_command[command], places));
  }
  return text;
}

}  // namespace breakeven::report
