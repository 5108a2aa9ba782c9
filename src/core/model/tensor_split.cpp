// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/tensor_split.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr std::uint32_t group_units = 8;

bool is_divided(const ModelShape& shape, std::size_t width) {
  return width < shape.layers() && inputs_are_divided(shape, width);
}

}  // namespace

UnitRange units_of_rank(std::uint32_t width, int rank, int ranks) {
  const auto groups = ceil_div(width, group_units);
  const auto begin_of = [&](int r) {
    const auto group = static_cast<std::uint64_t>(groups) * static_cast<std::uint64_t>(r) / ranks;
    return std::min(width, static_cast<std::uint32_t>(group) * group_units);
  };
  return {begin_of(rank), begin_of(rank + 1) - begin_of(rank)};
}

std::string tensor_split_refusal(const ModelShape& shape, int ranks) {
  for (std::size_t i = 0; i < shape.widths.size(); ++i) {
    const auto groups = static_cast<int>(ceil_div(shape.widths[i], group_units));
    if (!is_divided(shape, i) || groups >= ranks) continue;
    return fmt::format("width {} is split in groups of {} units, so over at most {} ranks, not {}",
                       shape.widths[i], group_units, groups, ranks);
  }
  return "";
}

MlpSettings tensor_part_of(const MlpSettings& whole, int rank, int ranks) {
  MlpSettings part = whole;
  part.place.whole_widths = whole.shape.widths;
  part.place.first_units.assign(whole.shape.widths.size(), 0);
  for (std::size_t i = 0; i < whole.shape.widths.size(); ++i) {
    if (!is_divided(whole.shape, i)) continue;
    const UnitRange units = units_of_rank(whole.shape.widths[i], rank, ranks);
    part.shape.widths[i] = units.count;
    part.place.first_units[i] = units.first;
  }
  return part;
}

}  // namespace breakeven
