// SPDX-License-Identifier: Apache-2.0
// A case's level on an axis, for tables and objects that programs read.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include "src/core/axes.h"
#include "src/report/table.h"

namespace breakeven {

// A graph is a truth value, batch and GPUs are numbers, everything else is a word.
inline std::variant<bool, std::int64_t, std::string> axis_value(Axis axis, const Case& what) {
  return std::visit(
      [&](auto member) -> std::variant<bool, std::int64_t, std::string> {
        using Value = std::remove_cvref_t<decltype(what.*member)>;
        if constexpr (std::is_same_v<Value, bool>)
          return what.*member;
        else if constexpr (std::is_integral_v<Value>)
          return std::int64_t{what.*member};
        else
          return word_of(axis, what);
      },
      info_of(axis).member);
}

inline Cell axis_cell(Axis axis, const Case& what) {
  const auto value = axis_value(axis, what);
  if (const bool* truth = std::get_if<bool>(&value)) return exact(*truth);
  return Cell(word_of(axis, what), std::visit([](const auto& one) -> Cell::Value { return one; }, value));
}

}  // namespace breakeven
