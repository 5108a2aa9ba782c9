// SPDX-License-Identifier: Apache-2.0
// How large the buffers of a rank's ModelState are, which follows from what is sharded.
#pragma once

#include <array>
#include <cstddef>

#include "src/core/model/mlp_settings.h"

namespace breakeven {

// In floats but for `working` and `weight_slots`, which are in the precision's dtype.
struct StateSizes {
  std::size_t masters = 0;  // the parameters in fp32
  std::size_t gradients = 0;
  std::size_t moment = 0;   // each of the two; 0 for an optimizer without
  std::size_t working = 0;  // the copy that products read; 0 where that is the masters
  std::size_t biases = 0;   // gathered in fp32 beside a working copy whose masters are sharded
  // Of what is sharded, where the whole of a bucket lies: every other bucket takes the same one.
  std::array<std::size_t, 2> weight_slots{};
  std::array<std::size_t, 2> gradient_slots{};
};

StateSizes state_sizes(const MlpSettings& settings);

}  // namespace breakeven
