// SPDX-License-Identifier: Apache-2.0
// What ranks exchange that each have a share of every layer (src/core/model/tensor_split.h).
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/strategy/description.h"

namespace breakeven {

// Of each layer whether its inputs are divided; else its outputs are.
std::vector<bool> divided_inputs(const ModelShape& shape);

// Bytes of the sums of what leaves a pair of layers, where products have a narrower dtype; 0 elsewhere.
std::size_t sums_bytes(const MlpSettings& whole, std::size_t width);

// What a rank keeps beside its replica.
std::size_t tensor_bytes(const MlpSettings& whole);

// Of a step of all of the group's `ranks`, agreement apart.
std::vector<Message> tensor_sums(const MlpSettings& whole, int ranks);

MemoryNeed tensor_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
RankWork tensor_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
