// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/printable.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/text/utf8.h"

namespace breakeven {
namespace {

// The C0 and C1 controls, and Unicode's line, paragraph and direction controls (UAX #9, table 2).
constexpr std::array hidden{CodePointRange{0x00, 0x09},     CodePointRange{0x0B, 0x1F},
                            CodePointRange{0x7F, 0x9F},     CodePointRange{0x061C, 0x061C},
                            CodePointRange{0x200E, 0x200F}, CodePointRange{0x2028, 0x202E},
                            CodePointRange{0x2066, 0x2069}, CodePointRange{0xFEFF, 0xFEFF}};

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::size_t taken = std::max<std::size_t>(point.bytes, 1);
    if (point.bytes == 0)
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (lies_in(point.value, hidden))
      safe += fmt::format(fmt::runtime(point.value < 0x80 ? "\\x{:02x}" : "\\u{{{:x}}}"),
                          static_cast<unsigned>(point.value));
    else
      safe += text.substr(0, taken);
    text.remove_prefix(taken);
  }
  return safe;
}

// Outside of texts, JSON has no such characters.
std::string without_controls(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next <= 0x9F;
    if (is_c1 || byte == 0x7F)
      safe += fmt::format("\\u{:04x}", is_c1 ? next : byte);
    else
      safe += json[i];
    i += is_c1 ? 1 : 0;
  }
  return safe;
}

std::string printable_line(std::string_view text) {
  std::string line = printable(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace breakeven
