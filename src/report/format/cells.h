// SPDX-License-Identifier: Apache-2.0
// Cells of a number: in people's units for text, as it is for CSV and JSON. Not measured is a dash.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <variant>

#include "src/core/axes.h"
#include "src/report/format/numbers.h"
#include "src/report/format/table.h"

namespace breakeven::report {

Cell seconds_cell(double seconds);
Cell share_cell(double share);
Cell ratio_cell(double ratio);
Cell ratio_cell(const statistics::Interval& ratio);  // its value is the centre
Cell bytes_cell(double bytes);
Cell verdict_cell(const statistics::Decision& decision);  // its phrase
Cell count_cell(std::integral auto count) {               // "12345"
  return {std::to_string(count), static_cast<std::int64_t>(count)};
}

Cell dash_cell();  // not known

// A case's level on an axis: a graph is a truth value, batch and GPUs are numbers, everything else is a word.
std::variant<bool, std::int64_t, std::string> axis_value(Axis axis, const Case& what);
Cell axis_cell(Axis axis, const Case& what);
inline Cell batch_cell(const Case& what) { return axis_cell(Axis::batch, what); }

}  // namespace breakeven::report
