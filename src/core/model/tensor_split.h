// SPDX-License-Identifier: Apache-2.0
// A model with every layer divided among ranks (Shoeybi et al., "Megatron-LM", 2019, section 3): in pairs, of
// which the first has its outputs divided and the second its inputs, so that what lies between them is
// exchanged by nobody.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/model/mlp_settings.h"

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

// The rank's part of a whole replica.
MlpSettings tensor_part_of(const MlpSettings& whole, int rank, int ranks);

}  // namespace breakeven
