// SPDX-License-Identifier: Apache-2.0
#include "src/core/compression/gradient_range.h"

namespace breakeven {

GradientRange range_of_layers(const ParameterLayout& layout, std::size_t first_layer, std::size_t layers) {
  const std::size_t begin = layout.weight_offset(first_layer);
  GradientRange range;
  for (std::size_t layer = first_layer; layer < first_layer + layers; ++layer) {
    const Matrix weight = layout.weight(nullptr, layer);
    const std::size_t bias = layout.bias_offset(layer);
    range.weights.push_back({layout.weight_offset(layer) - begin, weight.rows, weight.cols, weight.ld});
    range.biases.push_back({bias - begin, static_cast<std::size_t>(weight.rows)});
    range.floats = bias - begin + static_cast<std::size_t>(padded_width(weight.rows));
  }
  return range;
}

}  // namespace breakeven
