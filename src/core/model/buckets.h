// SPDX-License-Identifier: Apache-2.0
// Gradients in buckets of whole layers, in the order in which a backward pass makes them, and what a rank
// owns of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/model/parameter_layout.h"

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

// The share of a bucket that one of several ranks owns. A buffer of the whole model has it at `in_whole`; one
// of the rank's shares alone, laid out in the order of the model, at `in_shares`.
struct OwnPart {
  std::size_t in_whole;
  std::size_t in_shares;
  std::size_t floats;
};

// Bucket by bucket. The layout must be padded for as many ranks.
std::vector<OwnPart> make_own_parts(const std::vector<Bucket>& buckets, int rank, int ranks);

}  // namespace breakeven
