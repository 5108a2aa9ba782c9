// SPDX-License-Identifier: Apache-2.0
// The one table of axes. What lists axes walks it in this order: the results file, tables for programs, and
// the options of `run`. A launch measures their product in an order of its own (src/measure/plan/plan.cpp).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/core/case.h"

namespace breakeven {

enum class Axis : std::uint8_t {
  model,
  batch,
  gpus,
  strategy,
  precision,
  gemm,
  transport,
  nccl,
  scaling,
  timing,
  graph,
  data,
  chosen
};
constexpr std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }
inline constexpr std::size_t axis_count = index_of(Axis::chosen) + 1;

// All in the table's order but these.
template <Axis... left_out>
constexpr auto axes_but() {
  std::array<Axis, axis_count - sizeof...(left_out)> kept{};
  for (std::size_t i = 0, next = 0; i < axis_count; ++i)
    if (const auto axis = static_cast<Axis>(i); ((axis != left_out) && ...)) kept[next++] = axis;
  return kept;
}

// What a case shares with its baseline, which runs without a graph where the case cannot be one.
inline constexpr std::initializer_list<Axis> baseline_axes{Axis::model, Axis::precision, Axis::gemm,
                                                           Axis::data};
// What the cases of a group share: the model, and the settings.
inline constexpr std::array group_axes{Axis::model, Axis::precision, Axis::gemm, Axis::graph, Axis::data};
inline constexpr auto setting_axes = std::span(group_axes).subspan<1>();

using AxisMember = std::variant<CaseModel Case::*, CaseStrategy Case::*, std::string Case::*,
                                std::uint32_t Case::*, int Case::*, bool Case::*, Level<Precision> Case::*,
                                Level<GemmKernel> Case::*, Level<Transport> Case::*, Level<Scaling> Case::*,
                                Level<Timing> Case::*, Level<DataPlacement> Case::*>;

struct AxisInfo {
  Axis axis;
  AxisMember member;
  std::string_view key;         // of CSV and JSON
  std::string_view label;       // of tables
  std::string_view unit{};      // of a number
  std::string_view variable{};  // of the results file; "": not stored with the run
  std::string_view meaning;     // of the variable, and of the column
  // How a title prints its value, which stands for "{}"; and in place of an empty value or "off", if any.
  std::string_view phrase = "{}";
  std::string_view phrase_without{};
  std::string_view option{};  // of `run`; "": a launch does not choose it
  std::string help{};
};

const std::array<AxisInfo, axis_count>& axes();
const AxisInfo& info_of(Axis axis);

// As in the file: "16", "fp32", "total"; of a graph "on" or "off".
std::string word_of(Axis axis, const Case& what);

// The words of an axis with enumerated values on the command line; empty for every other axis.
std::vector<std::string> option_words(Axis axis);
// The word must have been checked.
void set_level(Axis axis, const std::string& option_word, Case& what);

using AxisList = std::initializer_list<Axis>;
bool are_alike(const Case& a, const Case& b, AxisList in);
bool are_alike_but_for(const Case& a, const Case& b, AxisList differing);
// By the first axis in which they differ: numbers by size, words by letters.
std::weak_ordering order_by(AxisList list, const Case& a, const Case& b);

}  // namespace breakeven
