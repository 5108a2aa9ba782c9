// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/tensor.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/ceil_div.h"
#include "src/core/matrix.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/strategy/gradient_costs.h"

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

std::vector<bool> divided_inputs(const ModelShape& shape) {
  std::vector<bool> divided;
  for (std::size_t l = 0; l < shape.layers(); ++l) divided.push_back(inputs_are_divided(shape, l));
  return divided;
}

std::size_t sums_bytes(const MlpSettings& whole, std::size_t width) {
  const bool between_pairs =
      width > 0 && width < whole.shape.layers() && !inputs_are_divided(whole.shape, width);
  if (!between_pairs || whole.dtype() == Dtype::fp32) return 0;
  return whole.rows * static_cast<std::size_t>(padded_width(whole.shape.widths[width])) * sizeof(float);
}

std::size_t tensor_bytes(const MlpSettings& whole) {
  std::size_t bytes = sizeof(float) + overflow_bytes(whole.precision);
  for (std::size_t i = 0; i < whole.shape.widths.size(); ++i) bytes += sums_bytes(whole, i);
  return bytes;
}

std::vector<Message> tensor_sums(const MlpSettings& whole, int ranks) {
  const auto sums_of = [&](std::size_t width) {
    const auto padded = static_cast<std::uint64_t>(padded_width(whole.shape.widths[width]));
    return Message{Collective::all_reduce, whole.rows * padded * sizeof(float), ranks};
  };
  std::vector<Message> messages;
  const std::vector<bool> inputs_divided = divided_inputs(whole.shape);
  for (std::size_t l = 0; l < inputs_divided.size(); ++l) {
    if (inputs_divided[l]) messages.push_back(sums_of(l + 1));
    if (l > 0 && !inputs_divided[l]) messages.push_back(sums_of(l));
  }
  return messages;
}

MemoryNeed tensor_memory_need(const StrategyOptions&, const MlpSettings& whole, int rank, int ranks) {
  MemoryNeed need = mlp_memory(tensor_part_of(whole, rank, ranks));
  need.strategy = tensor_bytes(whole);
  return need;
}

RankWork tensor_work(const StrategyOptions&, const MlpSettings& whole, int rank, int ranks) {
  return {.shape = tensor_part_of(whole, rank, ranks).shape, .rows = whole.rows};
}

}  // namespace breakeven
