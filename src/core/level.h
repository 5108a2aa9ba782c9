// SPDX-License-Identifier: Apache-2.0
// One level of an axis whose values this program can enumerate: a known value, or a word that another
// version of the program wrote into a file. An unknown word is kept as it is spelled.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "src/core/words_of.h"

namespace breakeven {

// Throws a Failure that names the word.
[[noreturn]] void refuse_unknown(std::string_view word);

// Without a value it is of no level, and its word is empty.
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

}  // namespace breakeven

template <typename Value>
struct fmt::formatter<breakeven::Level<Value>> : fmt::formatter<std::string_view> {
  auto format(const breakeven::Level<Value>& level, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(level.word(), context);
  }
};
