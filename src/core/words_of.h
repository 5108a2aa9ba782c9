// SPDX-License-Identifier: Apache-2.0
// Enumerations with a word for each value, and conversions between the two.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// The words of an enumeration in its order; specialised next to each enumeration.
template <typename Value>
inline constexpr std::nullptr_t words_of = nullptr;

// The words of an enumeration whose table has a row with a name for each value, in its order.
template <typename Row, std::size_t rows>
constexpr std::array<std::string_view, rows> names_of_rows(const std::array<Row, rows>& table) {
  std::array<std::string_view, rows> names;
  for (std::size_t i = 0; i < rows; ++i) names[i] = table[i].name;
  return names;
}

// The words on the command line, where they differ from those in the file.
template <typename Value>
inline constexpr auto option_words_of = words_of<Value>;

template <typename Value>
concept Worded = requires {
  words_of<Value>.size();
};

template <Worded Value>
constexpr std::string_view name_of(Value value) {
  // Without the parentheses cppcheck takes words_of<Value>[ for a comparison, and gives up.
  return (words_of<Value>)[static_cast<std::size_t>(value)];
}

template <Worded Value>
constexpr std::optional<Value> find_value(std::string_view word) {
  for (std::size_t i = 0; i < words_of<Value>.size(); ++i) {
    if ((words_of<Value>)[i] == word) return static_cast<Value>(i);
  }
  return std::nullopt;
}

template <Worded Value>
std::vector<std::string> all_words() {
  return {words_of<Value>.begin(), words_of<Value>.end()};
}

}  // namespace breakeven
