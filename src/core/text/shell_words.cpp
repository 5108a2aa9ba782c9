// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/shell_words.h"

namespace breakeven {
namespace {

std::string shell_word(std::string_view word) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
  if (!word.empty() && word.find_first_not_of(safe) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (const char character : word) {
    if (character == '\'')
      quoted += R"('"'"')";
    else
      quoted += character;
  }
  return quoted + "'";
}

}  // namespace

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::vector<std::string> words_of_shell_line(std::string_view line) {
  std::vector<std::string> words;
  bool is_in_word = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) words.emplace_back();
    is_in_word = true;
    const bool is_quote = line[at] == '\'' || line[at] == '"';
    const std::size_t end = is_quote ? line.find(line[at], at + 1) : line.npos;
    if (end == line.npos) {
      words.back() += line[at];
    } else {
      words.back() += line.substr(at + 1, end - at - 1);
      at = end;
    }
  }
  return words;
}

}  // namespace breakeven
