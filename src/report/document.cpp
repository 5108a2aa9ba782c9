// SPDX-License-Identifier: Apache-2.0
// Blocks of a report as text and as Markdown.
#include "src/report/document.h"

#include <algorithm>
#include <iterator>

#include "src/core/text/display_width.h"
#include "src/core/text/printable.h"

namespace breakeven::report {
namespace {

// One empty line between blocks, none between the items of a list or before the first block.
template <typename Item, typename Blocks, typename Renderer>
std::string rendered(const Blocks& blocks, const Renderer& renderer) {
  std::string text;
  bool in_list = false;
  for (const auto& block : blocks) {
    const bool is_item = std::holds_alternative<Item>(block);
    if (!text.empty() && !(is_item && in_list)) text += "\n";
    text += std::visit(renderer, block);
    in_list = is_item;
  }
  return text;
}

}  // namespace

struct Document::TextRenderer {
  Ink ink = Ink::plain;

  std::string operator()(const Heading& heading) const {
    const char line = heading.level == 1 ? '=' : '-';
    const std::string text = wrap(heading.text, text_columns);
    return strong(text, ink) + "\n" + std::string(std::min(display_width(text), text_columns), line) + "\n";
  }
  std::string operator()(const Lead& lead) const { return strong(wrap(lead.text, text_columns), ink) + "\n"; }
  std::string operator()(const Paragraph& paragraph) const {
    return wrap(paragraph.text, text_columns) + "\n";
  }
  std::string operator()(const Item& item) const {
    return "- " + wrap(item.text, text_columns - 2, "  ") + "\n";
  }
  std::string operator()(const ReportTable& table) const {
    ReportTable wrapped = table;
    wrapped.title = wrap(table.title, text_columns);
    return render_text(wrapped, ink);
  }
  std::string operator()(const Preformatted& block) const { return block.text; }
};

struct Document::MarkdownRenderer {
  std::string operator()(const Heading& heading) const {
    return std::string(static_cast<std::size_t>(heading.level), '#') + " " + heading.text + "\n";
  }
  std::string operator()(const Lead& lead) const { return "**" + lead.text + "**\n"; }
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const Item& item) const { return "- " + item.text + "\n"; }
  std::string operator()(const ReportTable& table) const {
    return (table.title.empty() ? "" : "**" + table.title + "**\n\n") + render_markdown(table);
  }
  std::string operator()(const Preformatted& block) const { return "```\n" + block.text + "```\n"; }
};

void Document::heading(int level, const std::string& text) {
  blocks_.push_back(Heading{level, printable(text)});
}
void Document::lead(const std::string& text) { blocks_.push_back(Lead{printable(text)}); }
void Document::paragraph(const std::string& text) { blocks_.push_back(Paragraph{printable(text)}); }
void Document::item(const std::string& text) { blocks_.push_back(Item{printable(text)}); }
void Document::preformatted(const std::string& text) { blocks_.push_back(Preformatted{printable(text)}); }
void Document::table(ReportTable table) {
  if (table.rows.empty()) return;
  table.title = printable(table.title);
  for (auto& row : table.rows)
    for (Cell& cell : row) cell.text = printable(cell.text);
  blocks_.push_back(std::move(table));
}
void Document::append(Document other) { std::ranges::move(other.blocks_, std::back_inserter(blocks_)); }

std::string Document::text(Ink ink) const { return rendered<Item>(blocks_, TextRenderer{ink}); }
std::string Document::markdown() const { return rendered<Item>(blocks_, MarkdownRenderer{}); }

}  // namespace breakeven::report
