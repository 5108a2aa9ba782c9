// SPDX-License-Identifier: Apache-2.0
// Where each layer's weights and biases lie in the flat buffers of parameters, gradients and moments.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/model/model_shape.h"

namespace breakeven {

// One flat array for all layers, so that an exchange, an optimizer step or a checksum is one pass over one
// array. W[out,in] with padded rows, then b[out], also padded; the padding is zero in every buffer. Behind
// each layer lies as much as lets any run of layers be cut into `shares` equal ones that begin on borders of
// 8 floats; the layer itself lies as it does without.
class ParameterLayout {
 public:
  explicit ParameterLayout(const ModelShape& shape, int shares = 1);

  std::size_t floats() const { return floats_; }  // padding included
  std::size_t layers() const { return layers_.size(); }
  std::size_t weight_offset(std::size_t layer) const { return layers_[layer].weight; }
  std::size_t bias_offset(std::size_t layer) const { return layers_[layer].bias; }
  std::size_t bias_floats(std::size_t layer) const;
  std::size_t layer_floats(std::size_t layer) const;  // weights and biases, without what lies behind them
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

}  // namespace breakeven
