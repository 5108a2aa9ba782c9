// SPDX-License-Identifier: Apache-2.0
// Widths of UTF-8 text, without the locale.
#include "src/core/text/display_width.h"

#include <algorithm>
#include <array>

#include "src/core/text/utf8.h"

namespace breakeven {
namespace {

// Unicode's combining blocks and zero-width marks; of East Asian width the wide and full-width blocks
// (UAX #11).
constexpr std::array no_columns{CodePointRange{0x0300, 0x036F}, CodePointRange{0x200B, 0x200F},
                                CodePointRange{0x20D0, 0x20FF}, CodePointRange{0xFE00, 0xFE0F},
                                CodePointRange{0xFEFF, 0xFEFF}};
constexpr std::array two_columns{CodePointRange{0x1100, 0x115F},   CodePointRange{0x2E80, 0x303E},
                                 CodePointRange{0x3041, 0xA4CF},   CodePointRange{0xAC00, 0xD7A3},
                                 CodePointRange{0xF900, 0xFAFF},   CodePointRange{0xFE30, 0xFE6F},
                                 CodePointRange{0xFF00, 0xFF60},   CodePointRange{0xFFE0, 0xFFE6},
                                 CodePointRange{0x1F300, 0x1FAFF}, CodePointRange{0x20000, 0x3FFFD}};

// Takes the first character off the text; a byte that is not UTF-8 stands for itself.
char32_t take_first(std::string_view& text) {
  const CodePoint point = first_code_point(text);
  const char32_t value = point.bytes > 0 ? point.value : static_cast<unsigned char>(text.front());
  text.remove_prefix(std::max<std::size_t>(point.bytes, 1));
  return value;
}

std::size_t columns_of(char32_t point) {
  return lies_in(point, no_columns) ? 0 : lies_in(point, two_columns) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += columns_of(take_first(text));
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string_view rest = text;
  std::size_t columns = 0;
  std::size_t kept = 0;
  while (true) {
    columns += columns_of(take_first(rest));
    if (columns > width - 1) return std::string(text.substr(0, kept)) + "…";
    kept = text.size() - rest.size();
  }
}

std::string wrap(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t word_width = display_width(word);
    if (column > display_width(indent) && column + 1 + word_width > width) {
      lines.append("\n").append(indent);
      column = display_width(indent);
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word_width;
  }
  return lines;
}

}  // namespace breakeven
