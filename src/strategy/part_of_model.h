// SPDX-License-Identifier: Apache-2.0
// A part of a split model in the whole: its parameters' place.
#pragma once

#include <span>

#include "src/model/mlp.h"

namespace breakeven {

// A layer's parameters from the replica's to their place in the whole model's.
void place_weight(Device& device, Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                  std::span<float> whole, Stream& stream);
void place_bias(Device& device, Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                std::span<float> whole, Stream& stream);

}  // namespace breakeven
