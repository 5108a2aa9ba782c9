// SPDX-License-Identifier: Apache-2.0
#include "src/report/format/document.h"

#include <algorithm>
#include <iterator>

#include <fmt/color.h>

#include "src/core/text/display_width.h"
#include "src/core/text/printable.h"

namespace breakeven::report {
namespace {

std::string strong(const std::string& text, Ink ink) {
  return ink == Ink::plain ? text : fmt::format(fmt::emphasis::bold, "{}", text);
}

// Markdown ends an address at the first of these.
std::string in_link(const std::string& address) {
  std::string text;
  for (const char letter : address) {
    const auto code = static_cast<unsigned char>(letter);
    text +=
        code <= ' ' || letter == '(' || letter == ')' ? fmt::format("%{:02X}", code) : std::string(1, letter);
  }
  return text;
}

std::string with_link(std::string text, const PageLink& link, const std::string& docs) {
  const auto at = docs.empty() || link.words.empty() ? std::string::npos : text.find(link.words);
  if (at == std::string::npos) return text;
  return text.replace(at, link.words.size(), fmt::format("[{}]({}/{})", link.words, in_link(docs), link.to));
}

}  // namespace

std::string Document::as_text(const Block& block, Ink ink) {
  const std::string text = wrap(block.text, text_columns);
  switch (block.kind) {
    case Kind::title:
    case Kind::heading:
      return strong(text, ink) + "\n" +
             std::string(std::min(display_width(text), text_columns), block.kind == Kind::title ? '=' : '-') +
             "\n";
    case Kind::lead:
      return strong(text, ink) + "\n";
    case Kind::paragraph:
      return text + "\n";
    case Kind::item:
      return "- " + wrap(block.text, text_columns - 2, "  ") + "\n";
    case Kind::table: {
      ReportTable wrapped = block.table;
      wrapped.title = text;
      return render_text(wrapped, ink);
    }
    case Kind::preformatted:
      return block.text;
  }
  return "";
}

std::string Document::as_markdown(const Block& block, const std::string& docs) {
  switch (block.kind) {
    case Kind::title:
      return "# " + block.text + "\n";
    case Kind::heading:
      return "## " + block.text + "\n";
    case Kind::lead:
      return "**" + block.text + "**\n";
    case Kind::paragraph:
      return block.text + "\n";
    case Kind::item:
      return "- " + with_link(block.text, block.link, docs) + "\n";
    case Kind::table:
      return (block.text.empty() ? "" : "**" + block.text + "**\n\n") + render_markdown(block.table);
    case Kind::preformatted:
      return "```\n" + block.text + "```\n";
  }
  return "";
}

// One empty line between blocks, none between the items of a list or before the first block.
template <typename Render>
std::string Document::rendered(Render render) const {
  std::string text;
  bool in_list = false;
  for (const Block& block : blocks_) {
    const bool is_item = block.kind == Kind::item;
    if (!text.empty() && !(is_item && in_list)) text += "\n";
    text += render(block);
    in_list = is_item;
  }
  return text;
}

// Only what is laid out here has lines; a text from a file has one.
void Document::add(Kind kind, const std::string& text) {
  blocks_.push_back({kind, kind == Kind::preformatted ? printable(text) : printable_line(text)});
}

void Document::item(const std::string& text, const PageLink& link) {
  item(text);
  blocks_.back().link = link;
}

void Document::table(ReportTable table) {
  if (table.rows.empty()) return;
  for (auto& row : table.rows)
    for (Cell& cell : row) cell.text = printable_line(cell.text);
  add(Kind::table, table.title);
  blocks_.back().table = std::move(table);
}

void Document::append(Document other) { std::ranges::move(other.blocks_, std::back_inserter(blocks_)); }

bool Document::is_empty() const {
  return std::ranges::all_of(
      blocks_, [](const Block& block) { return block.text.empty() && block.table.rows.empty(); });
}

bool Document::says_the_same_as(const Document& other) const {
  const auto same_cell = [](const Cell& a, const Cell& b) { return a.text == b.text; };
  const auto same_row = [&](const auto& a, const auto& b) { return std::ranges::equal(a, b, same_cell); };
  return std::ranges::equal(blocks_, other.blocks_, [&](const Block& a, const Block& b) {
    return a.kind == b.kind && a.text == b.text && a.table.title == b.table.title &&
           std::ranges::equal(a.table.rows, b.table.rows, same_row);
  });
}

std::string Document::text(Ink ink) const {
  return rendered([&](const Block& block) { return as_text(block, ink); });
}
std::string Document::markdown(const std::string& docs) const {
  return rendered([&](const Block& block) { return as_markdown(block, docs); });
}

}  // namespace breakeven::report
