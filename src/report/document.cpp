// SPDX-License-Identifier: Apache-2.0
// Blocks of a report as text and as Markdown.
#include "src/report/document.h"

#include <algorithm>
#include <iterator>

#include "src/core/text/display_width.h"

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
  std::string operator()(const Heading& heading) const {
    const char line = heading.level == 1 ? '=' : '-';
    const std::string text = wrap(heading.text, text_columns);
    return text + "\n" + std::string(std::min(display_width(text), text_columns), line) + "\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    return wrap(paragraph.text, text_columns) + "\n";
  }
  std::string operator()(const Item& item) const {
    return "- " + wrap(item.text, text_columns - 2, "  ") + "\n";
  }
  std::string operator()(const ReportTable& table) const {
    ReportTable wrapped = table;
    wrapped.title = wrap(table.title, text_columns);
    return render_text(wrapped);
  }
  std::string operator()(const Preformatted& block) const { return block.text; }
};

struct Document::MarkdownRenderer {
  std::string operator()(const Heading& heading) const {
    return std::string(static_cast<std::size_t>(heading.level), '#') + " " + heading.text + "\n";
  }
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const Item& item) const { return "- " + item.text + "\n"; }
  std::string operator()(const ReportTable& table) const {
    return (table.title.empty() ? "" : "**" + table.title + "**\n\n") + render_markdown(table);
  }
  std::string operator()(const Preformatted& block) const { return "```\n" + block.text + "```\n"; }
};

void Document::heading(int level, const std::string& text) { blocks_.push_back(Heading{level, text}); }
void Document::paragraph(const std::string& text) { blocks_.push_back(Paragraph{text}); }
void Document::item(const std::string& text) { blocks_.push_back(Item{text}); }
void Document::preformatted(const std::string& text) { blocks_.push_back(Preformatted{text}); }
void Document::table(ReportTable table) {
  if (!table.rows.empty()) blocks_.push_back(std::move(table));
}
void Document::append(Document other) { std::ranges::move(other.blocks_, std::back_inserter(blocks_)); }

std::string Document::text() const { return rendered<Item>(blocks_, TextRenderer{}); }
std::string Document::markdown() const { return rendered<Item>(blocks_, MarkdownRenderer{}); }

}  // namespace breakeven::report
