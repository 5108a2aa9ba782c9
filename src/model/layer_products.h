// SPDX-License-Identifier: Apache-2.0
// The matrix products of a network's layers, with their epilogues.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/product.h"
#include "src/core/model/activation_views.h"
#include "src/core/model/mlp_settings.h"
#include "src/model/model_state.h"

namespace breakeven::model {

class LayerProducts {
 public:
  // All borrowed.
  LayerProducts(const MlpSettings& settings, const ModelState& state, const ActivationViews& activations)
      : settings_(settings), state_(state), activations_(activations) {}

  Product hidden_layer(std::size_t layer, float dropout) const;
  Product output_layer() const;
  Product output_layer_with_loss(std::span<float> losses) const;  // the mean squared error
  Product data_gradient(std::size_t layer) const;                 // of the layer's input
  Product weight_gradient(std::size_t layer) const;
  // The same, written to `place` in the layout of the layer's parameters: weights first, then biases.
  Product weight_gradient(std::size_t layer, float* place) const;
  Product update(std::size_t layer) const;  // the weight gradient fused with the update

  // fp32 partial sums without epilogue, for a rank that holds a share of the units summed over.
  Product partial_output(std::size_t layer, Matrix sums) const;         // sums[rows,out]
  Product partial_data_gradient(std::size_t layer, Matrix sums) const;  // sums[rows,in]

 private:
  std::size_t last() const { return settings_.shape.layers() - 1; }
  Product product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c, const Epilogue& epilogue) const;

  const MlpSettings& settings_;
  const ModelState& state_;
  const ActivationViews& activations_;
};

}  // namespace breakeven::model
