// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/tensor_exchange.h"

#include "src/core/matrix.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/model/tensor_split.h"
#include "src/core/strategy/gradient_checks.h"

namespace breakeven {

std::vector<bool> divided_inputs(const ModelShape& shape) {
  std::vector<bool> divided;
  for (std::size_t l = 0; l < shape.layers(); ++l) divided.push_back(inputs_are_divided(shape, l));
  return divided;
}

// The sums of what leaves a pair of layers, where products have a narrower element.
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
