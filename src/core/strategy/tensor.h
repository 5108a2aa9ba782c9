// SPDX-License-Identifier: Apache-2.0
// Tensor parallelism: every layer is divided among the ranks (Shoeybi et al., "Megatron-LM", 2019, section
// 3). Layers form pairs. The first of a pair has its outputs divided and the second its inputs, so that ranks
// exchange nothing between the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/description.h"

namespace breakeven {

// Pairs are counted from the end: the last layer's inputs are divided. With an odd number of layers the first
// is by itself, and so are its inputs, the columns of the batch.
inline bool inputs_are_divided(const ModelShape& shape, std::size_t layer) {
  return (shape.layers() - layer) % 2 == 1;
}

// The units of a divided width that rank `rank` of `ranks` holds: groups of 8, so that rows start where
// vector loads and random draws do, as even as they go; the last rank's end may be cut.
UnitRange units_of_rank(std::uint32_t width, int rank, int ranks);

// Which width is too small for so many ranks, as half a sentence, or "".
std::string tensor_split_refusal(const ModelShape& shape, int ranks);

// The settings of the rank's part of the whole model.
MlpSettings tensor_part_of(const MlpSettings& whole, int rank, int ranks);

// Whether a layer's inputs are divided, by layer; else its outputs are.
std::vector<bool> divided_inputs(const ModelShape& shape);

// Bytes of the fp32 sums of a pair's outputs, where products have a narrower dtype; 0 elsewhere.
std::size_t sums_bytes(const MlpSettings& whole, std::size_t width);

// What a rank keeps besides its part of the model.
std::size_t tensor_bytes(const MlpSettings& whole);

// The sums over all `ranks` of the group in a step, without the agreement on overflow.
std::vector<Message> tensor_sums(const MlpSettings& whole, int ranks);

MemoryNeed tensor_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
RankWork tensor_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
