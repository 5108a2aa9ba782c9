// SPDX-License-Identifier: Apache-2.0
// A report for people as a sequence of blocks, so that text and Markdown say the same thing. Every block is
// made printable (src/core/text/printable.h): results files are shared, and their labels are not to be
// trusted.
#pragma once

#include <string>
#include <vector>

#include "src/report/format/table.h"

namespace breakeven::report {

// From words of an item to a place in the docs, such as "statistics.md#verdicts".
struct PageLink {
  std::string words, to;
};

class Document {
 public:
  void heading(int level, const std::string& text) { add(level == 1 ? Kind::title : Kind::heading, text); }
  void lead(const std::string& text) { add(Kind::lead, text); }  // what the reader came for
  void paragraph(const std::string& text) { add(Kind::paragraph, text); }
  void item(const std::string& text) { add(Kind::item, text); }
  void item(const std::string& text, const PageLink& link);  // markdown() links the first of these words
  void table(ReportTable table);                             // left out where it has no rows
  void preformatted(const std::string& text) { add(Kind::preformatted, text); }  // bars: kept as they are
  void append(Document other);

  bool is_empty() const;  // prints nothing
  bool says_the_same_as(const Document& other) const;
  std::string text(Ink ink = Ink::plain) const;
  std::string markdown(const std::string& docs = "") const;  // the address of the docs; "": no links

 private:
  enum class Kind { title, heading, lead, paragraph, item, table, preformatted };
  struct Block {
    Kind kind;
    std::string text;
    ReportTable table{};
    PageLink link{};
  };
  void add(Kind kind, const std::string& text);
  static std::string as_text(const Block& block, Ink ink);
  static std::string as_markdown(const Block& block, const std::string& docs);
  template <typename Render>
  std::string rendered(Render render) const;

  std::vector<Block> blocks_;
};

}  // namespace breakeven::report
