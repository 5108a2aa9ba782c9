// SPDX-License-Identifier: Apache-2.0
// Tables for people: aligned text and Markdown.
#include "src/report/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/text/display_width.h"

namespace breakeven::report {
namespace {

constexpr std::string_view gap = "  ";

std::vector<std::string> lines_of(const std::string& header) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
    end = header.find('\n', start);
    lines.push_back(header.substr(start, end == std::string::npos ? end : end - start));
  }
  return lines;
}

std::vector<std::size_t> column_widths(const ReportTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = 0;
    for (const std::string& line : lines_of(table.columns[c].header))
      width = std::max(width, display_width(line));
    for (const auto& row : table.rows) width = std::max(width, display_width(row[c].text));
    widths.push_back(width);
  }
  return widths;
}

std::string aligned(std::string_view text, std::size_t width, Align align) {
  return fmt::format(fmt::runtime(align == Align::left ? "{:<{}}" : "{:>{}}"), text, width);
}

// No blanks at the end of a line.
std::string finished(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Headers stand on the last line where they have fewer lines than the tallest.
std::string render_headers(const ReportTable& table, const std::vector<std::size_t>& widths) {
  std::size_t height = 0;
  for (const Column& column : table.columns) height = std::max(height, lines_of(column.header).size());
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::vector<std::string> header = lines_of(table.columns[c].header);
      const std::size_t above = height - header.size();
      line += (c > 0 ? gap : "");
      line += aligned(i < above ? "" : header[i - above], widths[c], table.columns[c].align);
    }
    text += finished(line);
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

}  // namespace

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string render_text(const ReportTable& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = table.title.empty() ? "" : table.title + "\n";
  text += render_headers(table, widths);
  std::string rule;
  for (std::size_t c = 0; c < widths.size(); ++c)
    rule += std::string(c > 0 ? gap.size() : 0, ' ') + std::string(widths[c], '-');
  text += finished(rule);
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      line += (c > 0 ? gap : "");
      line += aligned(row[c].text, widths[c], table.columns[c].align);
    }
    text += finished(line);
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
