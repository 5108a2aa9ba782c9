// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/parameter_layout.h"

#include "src/core/ceil_div.h"

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
    floats_ = ceil_div(floats_, border) * border;
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
  return {flat == nullptr ? nullptr : flat + place.weight, place.out, place.in, padded_width(place.in)};
}

std::vector<Bucket> make_buckets(const ParameterLayout& layout, std::uint64_t bytes,
                                 std::uint64_t first_bytes) {
  std::vector<Bucket> buckets;
  std::size_t end = layout.floats();
  std::size_t end_layer = layout.layers();
  for (std::size_t l = layout.layers(); l-- > 0;) {
    const std::size_t begin = layout.weight_offset(l);
    const std::uint64_t wanted = buckets.empty() && first_bytes > 0 ? first_bytes : bytes;
    const bool is_full = wanted > 0 && (end - begin) * sizeof(float) >= wanted;
    if (l > 0 && !is_full) continue;
    buckets.push_back({l, end_layer - l, begin, end - begin});
    end = begin;
    end_layer = l;
  }
  return buckets;
}

std::vector<OwnPart> make_own_parts(const std::vector<Bucket>& buckets, int rank, int ranks) {
  const auto owners = static_cast<std::size_t>(ranks);
  std::vector<OwnPart> parts;
  for (const Bucket& bucket : buckets) {
    const std::size_t share = bucket.floats / owners;
    parts.push_back({bucket.begin + static_cast<std::size_t>(rank) * share, bucket.begin / owners, share});
  }
  return parts;
}

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
