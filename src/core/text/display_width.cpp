// SPDX-License-Identifier: Apache-2.0
// Widths of UTF-8 text, without the locale.
#include "src/core/text/display_width.h"

#include <algorithm>
#include <array>

namespace breakeven {
namespace {

struct Range {
  char32_t first, last;
};

// Unicode's combining blocks and zero-width marks; of East Asian width the wide and full-width blocks (UAX
// #11).
constexpr std::array no_columns{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}, Range{0xFEFF, 0xFEFF}};
constexpr std::array two_columns{Range{0x1100, 0x115F},  Range{0x2E80, 0x303E}, Range{0x3041, 0xA4CF},
                                 Range{0xAC00, 0xD7A3},  Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},
                                 Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF},
                                 Range{0x20000, 0x3FFFD}};

bool lies_in(char32_t point, const auto& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [=](const Range& range) { return range.first <= point && point <= range.last; });
}

// Takes the next code point off the front; a byte that starts none stands for itself.
char32_t next_point(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t point = length == 1 ? lead : lead & (0xFF >> (length + 1));
  std::size_t taken = 1;
  for (; taken < length && taken < text.size(); ++taken) {
    const auto byte = static_cast<unsigned char>(text[taken]);
    if ((byte & 0xC0) != 0x80) break;
    point = point << 6 | (byte & 0x3F);
  }
  text.remove_prefix(taken);
  return taken == length ? point : lead;
}

std::size_t columns_of(char32_t point) {
  return lies_in(point, no_columns) ? 0 : lies_in(point, two_columns) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += columns_of(next_point(text));
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string_view rest = text;
  std::size_t columns = 0;
  std::size_t kept = 0;
  while (true) {
    columns += columns_of(next_point(rest));
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
