// SPDX-License-Identifier: Apache-2.0
// A table of the report: one model, rendered for people (text, Markdown) and for machines (CSV, JSON).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "src/statistics/payoff.h"

namespace breakeven::report {

inline constexpr std::size_t text_columns = 100;

enum class Align { left, right };

// Colour on a terminal, by the control sequences of ECMA-48 ("Control Functions for Coded Character Sets",
// section 8.3.117).
enum class Ink { plain, coloured };

struct Column {
  std::string key;     // for machines: "step_seconds"
  std::string header;  // for people; "\n" where the text form breaks it, never within a word
  Align align = Align::right;
  std::string unit{};     // of the key's values, in SI; "": none
  std::string meaning{};  // in a short phrase
};

// The text for people and the value for programs. monostate, and a double that is not finite: not measured.
struct Cell {
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;
  Cell(std::string text) : text(text), value(std::move(text)) {}  // NOLINT: a text is a cell
  Cell(std::string_view text) : Cell(std::string(text)) {}        // NOLINT
  Cell(const char* text) : Cell(std::string(text)) {}             // NOLINT
  Cell(std::string text, Value value, statistics::Payoff verdict = statistics::Payoff::not_measured)
      : text(std::move(text)), value(std::move(value)), verdict(verdict) {}
  std::string text;
  Value value;
  statistics::Payoff verdict = statistics::Payoff::not_measured;  // colours the text
};

// For objects that are no table; not measured: null.
nlohmann::ordered_json number_or_null(double value);

// Cells whose text is the value itself, for tables that only machines read.
Cell exact(double value);
Cell exact(bool value);

struct ReportTable {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as columns
};

std::string finished_line(std::string line);  // ends without blanks, with "\n"
std::string in_one_line(std::string text);    // with a blank for each "\n"

void drop_column(std::string_view key, ReportTable& table);
ReportTable without_unknown_columns(ReportTable table);  // those of only dashes, which say nothing
// Removes each of these columns that has the same text in every row, and adds the text to the title: ". In
// every row: Fits yes".
void say_shared(std::initializer_list<std::string_view> keys, ReportTable& table);

// Aligned by display width, two blanks between columns. Where it would be wider than `text_columns`: one
// blank, and words in several lines.
std::string render_text(const ReportTable& table, Ink ink = Ink::plain);
std::string render_markdown(const ReportTable& table);  // a GitHub table; the title is not in it
std::string render_csv(const ReportTable& table);  // RFC 4180, keys first, no blanks; not measured: empty
nlohmann::ordered_json render_json(const ReportTable& table);  // a list of objects; not measured: null

}  // namespace breakeven::report
