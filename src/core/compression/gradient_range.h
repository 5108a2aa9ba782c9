// SPDX-License-Identifier: Apache-2.0
// A part of the flat gradient that is summed over the ranks in one go: all of it, or a bucket of layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {

// Where the weights and biases lie, in floats from the beginning of the range. What is in neither is padding.
struct GradientRange {
  struct Weight {
    std::size_t first;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t ld;
    std::size_t floats() const { return static_cast<std::size_t>(rows * ld); }  // padding included
    Matrix in(float* range) const { return {range + first, rows, cols, ld}; }
  };
  struct Bias {
    std::size_t first;
    std::size_t floats;
  };
  std::size_t floats = 0;
  std::vector<Weight> weights;
  std::vector<Bias> biases;
};

// Of `layers` neighbouring layers; it begins at layout.weight_offset(first_layer).
GradientRange range_of_layers(const ParameterLayout& layout, std::size_t first_layer, std::size_t layers);

}  // namespace breakeven
