// SPDX-License-Identifier: Apache-2.0
// Tables for people: aligned text and Markdown.
#include "src/report/format/table.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/text/display_width.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

using TextLines = std::vector<std::string>;

TextLines lines_of(const std::string& text) {
  TextLines lines;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find('\n', start);
    lines.push_back(text.substr(start, end == std::string::npos ? end : end - start));
  }
  return lines;
}

std::size_t widest(const TextLines& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// At most so wide, where it holds words that allow it. A number stays whole, with its unit and interval.
TextLines lines_of_cell(const Cell& cell, std::size_t most) {
  const std::string& text = cell.text;
  const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return is_number || display_width(text) <= most ? TextLines{text} : lines_of(wrap(text, most));
}

// With each cell in lines of at most `most` columns.
std::size_t width_of_column(const ReportTable& table, std::size_t c, std::size_t most) {
  std::size_t width = widest(lines_of(table.columns[c].header));
  for (const auto& row : table.rows) width = std::max(width, widest(lines_of_cell(row[c], most)));
  return width;
}

// How the columns of a table become at most `text_columns` wide, if they can.
struct Layout {
  std::string_view gap = "  ";
  std::vector<std::size_t> widths;

  std::size_t width() const {
    return std::accumulate(widths.begin(), widths.end(), gap.size() * (widths.size() - 1));
  }
};

// The widest column of words narrower by one or more; false where none can be: words of so few columns stay
// in one line.
constexpr std::size_t few_columns = 12;
bool narrow(const ReportTable& table, Layout& layout) {
  auto& widths = layout.widths;
  std::vector<std::size_t> narrower = widths;
  for (std::size_t c = 0; c < widths.size(); ++c)
    if (table.columns[c].align == Align::left && widths[c] > few_columns)
      narrower[c] = width_of_column(table, c, widths[c] - 1);
  std::size_t best = widths.size();
  for (std::size_t c = 0; c < widths.size(); ++c)
    if (narrower[c] < widths[c] && (best == widths.size() || widths[c] > widths[best])) best = c;
  if (best == widths.size()) return false;
  widths[best] = narrower[best];
  return true;
}

// Too wide a table has one blank between columns, and words in several lines.
Layout layout_of(const ReportTable& table) {
  Layout layout;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    layout.widths.push_back(width_of_column(table, c, std::string::npos));
  if (layout.width() > text_columns) layout.gap = " ";
  while (layout.width() > text_columns && narrow(table, layout)) continue;
  return layout;
}

std::string aligned(std::string_view text, std::size_t width, Align align) {
  return fmt::format(fmt::runtime(align == Align::left ? "{:<{}}" : "{:>{}}"), text, width);
}

std::string coloured(const std::string& text, statistics::Payoff verdict) {
  const auto in = [&](fmt::terminal_color colour) { return fmt::format(fmt::fg(colour), "{}", text); };
  switch (verdict) {
    case statistics::Payoff::pays:
      return in(fmt::terminal_color::green);
    case statistics::Payoff::does_not_pay:
      return in(fmt::terminal_color::red);
    case statistics::Payoff::undecided:
      return in(fmt::terminal_color::yellow);
    default:
      return text;
  }
}

// Cells of several lines beside each other: headers end on the last line, other cells begin on the first.
// Without a row they are headers.
std::string render_row(const std::vector<TextLines>& cells, const std::vector<Cell>* row,
                       const ReportTable& table, const Layout& layout, Ink ink) {
  const std::size_t height = std::ranges::max(cells, {}, &TextLines::size).size();
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Column& column = table.columns[c];
      const std::size_t above = row == nullptr ? height - cells[c].size() : 0;
      const bool is_empty = i < above || i - above >= cells[c].size();
      const std::string cell = aligned(is_empty ? "" : cells[c][i - above], layout.widths[c], column.align);
      line += c > 0 ? layout.gap : "";
      const bool is_coloured = ink == Ink::coloured && row != nullptr && i == 0;
      line += is_coloured ? coloured(cell, (*row)[c].verdict) : cell;
    }
    text += finished_line(line);
  }
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char character : text) {
    if (character == '|') safe += '\\';
    safe += character;
  }
  return in_one_line(std::move(safe));
}

void erase_column(std::ptrdiff_t place, ReportTable& table) {
  table.columns.erase(table.columns.begin() + place);
  for (std::vector<Cell>& row : table.rows) row.erase(row.begin() + place);
}

}  // namespace

void drop_column(std::string_view key, ReportTable& table) {
  erase_column(std::ranges::find(table.columns, key, &Column::key) - table.columns.begin(), table);
}

ReportTable without_unknown_columns(ReportTable table) {
  for (std::size_t column = table.columns.size(); column-- > 0;) {
    const auto is_unknown = [&](const std::vector<Cell>& row) { return row[column].text == dash; };
    if (std::ranges::all_of(table.rows, is_unknown)) erase_column(static_cast<std::ptrdiff_t>(column), table);
  }
  return table;
}

void say_shared(std::initializer_list<std::string_view> keys, ReportTable& table) {
  std::vector<std::string> shared;
  for (const std::string_view key : keys) {
    const auto column = std::ranges::find(table.columns, key, &Column::key);
    const auto place = static_cast<std::size_t>(column - table.columns.begin());
    const auto text_of = [&](const std::vector<Cell>& row) { return row[place].text; };
    if (table.rows.empty() ||
        std::ranges::adjacent_find(table.rows, std::ranges::not_equal_to{}, text_of) != table.rows.end())
      continue;
    shared.push_back(fmt::format("{} {}", in_one_line(column->header), text_of(table.rows.front())));
    drop_column(key, table);
  }
  if (!shared.empty()) table.title += fmt::format(". In every row: {}", fmt::join(shared, ", "));
}

std::string finished_line(std::string line) {
  line = in_one_line(std::move(line));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string render_text(const ReportTable& table, Ink ink) {
  const Layout layout = layout_of(table);
  std::vector<TextLines> headers, rule;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    headers.push_back(lines_of(table.columns[c].header));
    rule.push_back({std::string(layout.widths[c], '-')});
  }
  std::string text = table.title.empty() ? "" : table.title + "\n";
  for (const auto& row : {headers, rule}) text += render_row(row, nullptr, table, layout, ink);
  for (const auto& row : table.rows) {
    std::vector<TextLines> cells;
    for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(lines_of_cell(row[c], layout.widths[c]));
    text += render_row(cells, &row, table, layout, ink);
  }
  return text;
}

std::string render_markdown(const ReportTable& table) {
  std::string text = "|";
  for (const Column& column : table.columns) text.append(" ").append(escaped(column.header)).append(" |");
  text += "\n|";
  for (const Column& column : table.columns) text += column.align == Align::left ? "---|" : "---:|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const Cell& cell : row) text.append(" ").append(escaped(cell.text)).append(" |");
    text += "\n";
  }
  return text;
}

}  // namespace breakeven::report
