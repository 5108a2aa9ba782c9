// SPDX-License-Identifier: Apache-2.0
// Gradients in buckets of whole layers, in the order in which a backward pass makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/model/parameter_layout.h"

namespace breakeven {

// Ready when its first layer is.
struct Bucket {
  std::size_t first_layer;
  std::size_t layers;
  std::size_t begin;  // place in the flat buffer, in floats
  std::size_t floats;
};

// A bucket is closed as soon as it has `bytes` (0: never), the first as soon as it has `first_bytes` (0: as
// the others).
std::vector<Bucket> make_buckets(const ParameterLayout& layout, std::uint64_t bytes,
                                 std::uint64_t first_bytes);

}  // namespace breakeven
