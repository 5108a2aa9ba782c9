// SPDX-License-Identifier: Apache-2.0
// Levels of a case's axes: values that this program knows, or words that another version of the program wrote
// into a file. An unknown word is kept as it is spelled.
#pragma once

#include <compare>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "src/core/words_of.h"

namespace breakeven {

// Throws a Failure that names the word.
[[noreturn]] void refuse_unknown(std::string_view word);

// A level of an axis whose values are an enumeration. Without a value its word is empty.
template <Worded Value>
class Level {
 public:
  Level() = default;
  Level(Value value) : value_(value) {}  // NOLINT: a value is a level
  explicit Level(std::string_view word) : value_(find_value<Value>(word)) {
    if (!value_) unknown_ = word;
  }

  std::optional<Value> known() const { return value_; }
  Value value() const { return value_ ? *value_ : (refuse_unknown(unknown_), Value{}); }
  std::string_view word() const { return value_ ? name_of(*value_) : std::string_view(unknown_); }

  bool operator==(const Level&) const = default;
  bool operator==(Value value) const { return value_ == value; }
  auto operator<=>(const Level& other) const { return word() <=> other.word(); }  // as tables list them

 private:
  std::optional<Value> value_;
  std::string unknown_;
};

// A level of an axis whose values are parsed from text: once, when the level is made. Copies share the value.
// The text alone decides what is equal and which comes first.
template <typename Value>
class Parsed {
 public:
  Parsed() = default;
  template <std::convertible_to<std::string_view> Text>
  Parsed(const Text& word)
      : word_(std::string_view(word)), value_(parse(word_)) {}  // NOLINT: text is a level

  const Value* known() const { return value_.get(); }  // null: this program does not know the text
  const Value& value() const { return value_ ? *value_ : (refuse_unknown(word_), *value_); }
  const std::string& word() const { return word_; }
  bool empty() const { return word_.empty(); }
  operator const std::string&() const { return word_; }  // NOLINT: a level is printed as its text

  bool operator==(const Parsed& other) const { return word_ == other.word_; }
  template <std::convertible_to<std::string_view> Text>
  bool operator==(const Text& word) const {
    return word_ == std::string_view(word);
  }
  auto operator<=>(const Parsed& other) const { return word_ <=> other.word_; }

 private:
  static std::shared_ptr<const Value> parse(std::string_view word);  // null where the text is no value

  std::string word_;
  std::shared_ptr<const Value> value_;
};

}  // namespace breakeven

template <typename Value>
struct fmt::formatter<breakeven::Level<Value>> : fmt::formatter<std::string_view> {
  auto format(const breakeven::Level<Value>& level, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(level.word(), context);
  }
};

template <typename Value>
struct fmt::formatter<breakeven::Parsed<Value>> : fmt::formatter<std::string_view> {
  auto format(const breakeven::Parsed<Value>& level, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(level.word(), context);
  }
};
