// SPDX-License-Identifier: Apache-2.0
// Tables for machines: CSV and JSON, from the values of the cells.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/printable.h"
#include "src/report/format/table.h"

namespace breakeven::report {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text)
    quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
  return quoted + "\"";
}

// A spreadsheet takes a cell that begins with one of these for a formula, and runs it. An apostrophe in front
// makes it text (OWASP, "CSV Injection"). Numbers are cells of another type and stay as they are.
std::string text_cell(const std::string& text) {
  constexpr std::string_view formula = "=+-@";
  const std::string safe = printable_line(text);
  const bool runs = !safe.empty() && formula.find(safe.front()) != formula.npos;
  return quoted(runs ? "'" + safe : safe);
}

struct ToCsv {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
  std::string operator()(const std::string& value) const { return text_cell(value); }
};

struct ToJson {
  nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
  nlohmann::ordered_json operator()(double value) const { return number_or_null(value); }
  nlohmann::ordered_json operator()(const auto& value) const { return value; }
};

Cell exact_cell(const Cell::Value& value) { return {std::visit(ToCsv{}, value), value}; }

}  // namespace

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

Cell exact(double value) { return exact_cell(value); }
Cell exact(bool value) { return exact_cell(value); }

std::string render_csv(const ReportTable& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text.append(c > 0 ? "," : "").append(quoted(table.columns[c].key));
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      text.append(c > 0 ? "," : "").append(std::visit(ToCsv{}, row[c].value));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json render_json(const ReportTable& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c)
      object[table.columns[c].key] = std::visit(ToJson{}, row[c].value);
    rows.push_back(std::move(object));
  }
  return rows;
}

}  // namespace breakeven::report
