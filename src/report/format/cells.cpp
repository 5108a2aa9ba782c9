// SPDX-License-Identifier: Apache-2.0
#include "src/report/format/cells.h"

#include <type_traits>

namespace breakeven::report {

Cell seconds_cell(double seconds) { return {format_seconds(seconds), seconds}; }
Cell share_cell(double share) { return {format_percent(share), share}; }
Cell ratio_cell(double ratio) { return {format_ratio(ratio), ratio}; }
Cell ratio_cell(const statistics::Interval& ratio) { return {format_ratio(ratio), ratio.centre}; }
Cell bytes_cell(double bytes) { return {format_bytes(bytes), bytes}; }
Cell verdict_cell(const statistics::Decision& decision) {
  return {phrase_of(decision), phrase_of(decision), decision.verdict};
}
Cell dash_cell() { return {std::string(dash), {}}; }

std::variant<bool, std::int64_t, std::string> axis_value(Axis axis, const Case& what) {
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

Cell axis_cell(Axis axis, const Case& what) {
  const auto value = axis_value(axis, what);
  if (const bool* truth = std::get_if<bool>(&value)) return exact(*truth);
  return {word_of(axis, what), std::visit([](const auto& one) -> Cell::Value { return one; }, value)};
}

}  // namespace breakeven::report
