// SPDX-License-Identifier: Apache-2.0
// What a network takes in its device's memory, before anything is allocated.
#pragma once

#include <cstddef>

#include "src/core/model/memory_need.h"
#include "src/core/model/mlp_settings.h"

namespace breakeven {

// Parameters, gradients and moments, without activations and what micro-batches add.
MemoryNeed state_memory(const MlpSettings& settings);

// What a replica takes; a strategy adds what it keeps beside it.
MemoryNeed mlp_memory(const MlpSettings& settings);

// Of a micro-batch's gradient and losses; 0 where the rows are not divided.
std::size_t micro_gradient_bytes(const MlpSettings& settings);
std::size_t micro_losses_bytes(const MlpSettings& settings);

}  // namespace breakeven
