// SPDX-License-Identifier: Apache-2.0
// A report for people as a sequence of blocks, so that text and Markdown say the same thing. Every block is
// made printable (src/core/text/printable.h): results files are shared, and their labels are not to be
// trusted.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "src/report/table.h"

namespace breakeven::report {

class Document {
 public:
  void heading(int level, const std::string& text);
  void lead(const std::string& text);  // what the reader came for
  void paragraph(const std::string& text);
  void item(const std::string& text);
  void table(ReportTable table);               // left out where it has no rows
  void preformatted(const std::string& text);  // bars: kept as they are
  void append(Document other);

  bool is_empty() const { return blocks_.empty(); }
  std::string text(Ink ink = Ink::plain) const;
  std::string markdown() const;

 private:
  struct Heading {
    int level;
    std::string text;
  };
  struct Lead {
    std::string text;
  };
  struct Paragraph {
    std::string text;
  };
  struct Item {
    std::string text;
  };
  struct Preformatted {
    std::string text;
  };
  struct TextRenderer;
  struct MarkdownRenderer;
  std::vector<std::variant<Heading, Lead, Paragraph, Item, ReportTable, Preformatted>> blocks_;
};

}  // namespace breakeven::report
