// SPDX-License-Identifier: Apache-2.0
// Dropout of one layer.
#pragma once

#include <cstdint>

#include "src/core/cuda_qualifiers.h"

namespace breakeven {

// Dropout keeps a unit with probability 1 - rate and scales it by 1 / (1 - rate) (Srivastava et al., JMLR 15,
// 2014, section 10, "inverted"). The mask is Philox's word for (seed, step, layer, global sample, unit): kept
// where word >= drop_threshold(rate). `first_sample` is the place of row 0 in the global batch, `first_unit`
// that of column 0 in the whole layer: a multiple of 4, since four units share a call of Philox.
struct Dropout {
  float rate = 0;  // 0 <= rate < 1; 0 leaves every unit as it is
  std::uint64_t seed = 0;
  std::uint32_t layer = 0;
  std::uint32_t first_sample = 0;
  std::uint32_t first_unit = 0;
};
HOST_DEVICE std::uint32_t drop_threshold(float rate) {
  return static_cast<std::uint32_t>(rate * 4294967296.0);
}

}  // namespace breakeven
