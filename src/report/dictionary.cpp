// SPDX-License-Identifier: Apache-2.0
// Every table that the program prints, with its columns, their units and their meanings.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/report/declared_table.h"

namespace breakeven::report {
namespace {

constexpr int dictionary_version = 1;

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

std::string row_of(const DeclaredColumn& column, const Place& place) {
  const std::string key = place.is_data && !column.key.empty() ? fmt::format("`{}`", column.key) : "";
  return fmt::format("|{}|{}|{}|{}|\n", fmt::join(place.headers, "; "), key, column.unit, column.meaning);
}

constexpr std::string_view head = "|Printed|Key|Unit|Meaning|\n|---|---|---|---|\n";

// What begins the title: "Loss budget" of "Loss budget: a step's time ...".
std::string short_title(const TableDeclaration& one) {
  std::string title(one.title.empty() && !one.json.empty() ? fmt::format("JSON `{}`", one.json) : one.title);
  title = title.substr(0, title.find_first_of(":;,"));
  for (std::size_t at = 0; (at = title.find("{}")) != std::string::npos;) title.replace(at, 2, "N");
  return title.empty() ? "JSON" : title;
}

// Those that stand on top of the page are in most tables, and are not named again.
std::string names_of_shared(const TableDeclaration& one, const Places& places) {
  std::vector<std::string> names;
  for (const DeclaredColumn& column : one.columns) {
    const std::string_view home = home_of(places.at(identity_of(column)));
    if (home.empty() || home == "several") continue;
    names.push_back(one.title.empty() || column.header.empty() ? fmt::format("`{}`", column.key)
                                                               : in_one_line(column.header));
  }
  if (names.empty()) return "";
  constexpr std::size_t most =
      12;  // keys in a row; beyond them the JSON of the dictionary is the place to look
  if (one.title.empty() && names.size() > most) return " Its other columns are explained above.";
  return fmt::format(" Also {}.", fmt::join(names, ", "));
}

// Of the whole JSON: a list of rows that another declaration describes.
bool is_list(const TableDeclaration& one, const DeclaredColumn& column) {
  return one.title.empty() && one.json.empty() &&
         std::ranges::any_of(declared_tables(), [&](const DeclaredTable* table) {
           return table->declaration().command == one.command && table->declaration().json == column.key;
         });
}

std::string section_of(const TableDeclaration& one, const Places& places) {
  std::string text = fmt::format("\n### {}\n\n[{}]({}).", short_title(one), one.page, one.page);
  if (!one.title.empty() && !one.json.empty()) text += fmt::format(" JSON `{}`.", one.json);
  text += names_of_shared(one, places) + "\n";
  std::string rows;
  for (const DeclaredColumn& column : one.columns) {
    const Place& place = places.at(identity_of(column));
    if (home_of(place).empty() && !is_list(one, column)) rows += row_of(column, place);
  }
  return rows.empty() ? text : fmt::format("{}\n{}{}", text, head, rows);
}

// Columns at home there, each once.
std::string shared_rows(std::string_view home, const std::vector<const DeclaredTable*>& tables,
                        const Places& places) {
  std::string rows;
  std::set<Identity> seen;
  for (const DeclaredTable* table : tables) {
    for (const DeclaredColumn& column : table->declaration().columns) {
      const Place& place = places.at(identity_of(column));
      if (home_of(place) == home && seen.insert(identity_of(column)).second) rows += row_of(column, place);
    }
  }
  return rows.empty() ? "" : fmt::format("\n{}{}", head, rows);
}

}  // namespace

std::string dictionary_as_json() {
  nlohmann::ordered_json tables = nlohmann::ordered_json::array();
  for (const DeclaredTable* table : declared_tables()) {
    const TableDeclaration& one = table->declaration();
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const DeclaredColumn& column : one.columns) {
      columns.push_back({{"key", column.key},
                         {"header", in_one_line(column.header)},
                         {"unit", column.unit},
                         {"meaning", column.meaning},
                         {"has_interval", column.has_interval},
                         {"is_elsewhere", column.is_elsewhere}});
    }
    tables.push_back({{"command", one.command},
                      {"title", one.title},
                      {"json", one.json},
                      {"page", one.page},
                      {"columns", std::move(columns)}});
  }
  const nlohmann::ordered_json all{
      {"format", "breakeven columns"}, {"version", dictionary_version}, {"tables", std::move(tables)}};
  return all.dump(1) + "\n";
}

std::string dictionary_as_markdown() {
  const std::vector<const DeclaredTable*> tables = declared_tables();
  const Places places = places_of(tables);
  std::string text = "## In several commands\n" + shared_rows("several", tables, places);
  std::map<std::string_view, std::string> sections_by_command;
  for (const DeclaredTable* table : tables) {
    const TableDeclaration& one = table->declaration();
    if (!one.command.empty()) sections_by_command[one.command] += section_of(one, places);
  }
  for (const auto& [command, sections] : sections_by_command) {
    const std::string shared = shared_rows(command, tables, places);
    text += fmt::format("\n## `breakeven {}`\n{}{}", command,
                        shared.empty() ? "" : "\nIn several tables:\n" + shared, sections);
  }
  return text;
}

}  // namespace breakeven::report
