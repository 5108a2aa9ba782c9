// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"

namespace breakeven {

ParameterLayout::ParameterLayout(const ModelShape& shape, int shares) {
  const std::size_t border = std::size_t{8} * static_cast<std::size_t>(shares);
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    const std::int64_t in = shape.widths[l];
    const std::int64_t out = shape.widths[l + 1];
    Layer layer{floats_, 0, in, out};
    floats_ += static_cast<std::size_t>(out * padded_width(in));
    layer.bias = floats_;
    floats_ += static_cast<std::size_t>(padded_width(out));
    floats_ = (floats_ + border - 1) / border * border;
    layers_.push_back(layer);
  }
}

std::size_t ParameterLayout::bias_floats(std::size_t layer) const {
  return static_cast<std::size_t>(padded_width(layers_[layer].out));
}

std::size_t ParameterLayout::layer_floats(std::size_t layer) const {
  return layers_[layer].bias + bias_floats(layer) - layers_[layer].weight;
}

Matrix ParameterLayout::weight(float* flat, std::size_t layer) const {
  const Layer& place = layers_[layer];
  return {flat + place.weight, place.out, place.in, padded_width(place.in)};
}

}  // namespace breakeven
