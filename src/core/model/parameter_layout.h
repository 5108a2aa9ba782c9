// SPDX-License-Identifier: Apache-2.0
// Where each layer's weights and biases lie in the flat buffers of parameters, gradients and moments, and the
// parts of these buffers that ranks exchange or own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/model/model_shape.h"

namespace breakeven {

// One flat array for all layers, so that an exchange, an optimizer step or a checksum is one pass over one
// array. W[out,in] with padded rows, then b[out], also padded; the padding is zero in every buffer. Each
// layer is followed by more padding, so that any run of layers divides into `shares` equal shares that begin
// at multiples of 8 floats.
class ParameterLayout {
 public:
  explicit ParameterLayout(const ModelShape& shape, int shares = 1);

  std::size_t floats() const { return floats_; }  // padding included
  std::size_t layers() const { return layers_.size(); }
  std::size_t weight_offset(std::size_t layer) const { return layers_[layer].weight; }
  std::size_t bias_offset(std::size_t layer) const { return layers_[layer].bias; }
  std::size_t bias_floats(std::size_t layer) const;
  std::size_t layer_floats(std::size_t layer) const;  // weights and biases, without the padding for shares
  Matrix weight(float* flat, std::size_t layer) const;
  float* bias(float* flat, std::size_t layer) const { return flat + layers_[layer].bias; }

 private:
  struct Layer {
    std::size_t weight;
    std::size_t bias;
    std::int64_t in;
    std::int64_t out;
  };
  std::vector<Layer> layers_;
  std::size_t floats_ = 0;
};

// Gradients of neighbouring layers that are sent together. It is ready when its first layer is.
struct Bucket {
  std::size_t first_layer;
  std::size_t layers;
  std::size_t begin;  // place in the flat buffer, in floats
  std::size_t floats;
};

// Buckets of whole layers, in the order in which a backward pass makes them. A bucket is closed as soon as it
// has `bytes` (0: never), the first as soon as it has `first_bytes` (0: as the others).
std::vector<Bucket> make_buckets(const ParameterLayout& layout, std::uint64_t bytes,
                                 std::uint64_t first_bytes);

// The share of a bucket that one of several ranks owns. It begins at `in_whole` in a buffer of the whole
// model, and at `in_shares` in a buffer that holds only the rank's shares, in the order of the model.
struct OwnPart {
  std::size_t in_whole;
  std::size_t in_shares;
  std::size_t floats;
};

// Bucket by bucket. The layout must be padded for as many ranks.
std::vector<OwnPart> make_own_parts(const std::vector<Bucket>& buckets, int rank, int ranks);

// A part of the flat gradient that one call sums over the ranks: all of it, or a bucket of layers.
// Places of weights and biases are in floats from the beginning of the range; all else is padding.
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
