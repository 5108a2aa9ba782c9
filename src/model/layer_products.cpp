// SPDX-License-Identifier: Apache-2.0
#include "src/model/layer_products.h"

namespace breakeven::model {

Product LayerProducts::product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c,
                               const Epilogue& epilogue) const {
  // B may be read early if the previous operation does not write it. The previous step writes weights, unless
  // they are gathered during the previous product. An earlier product writes activations, unless they were
  // just recomputed.
  const bool b_is_early =
      layout == GemmLayout::tn ? settings_.layers_a_checkpoint == 0 : !settings_.shards(Sharded::parameters);
  return {.layout = layout,
          .precision = settings_.precision,
          .variant = {settings_.gemm},
          .a = a,
          .b = b,
          .c = c,
          .epilogue = epilogue,
          .b_is_early = b_is_early};
}

Product LayerProducts::hidden_layer(std::size_t layer, float dropout) const {
  Dropout mask = dropout_of(settings_, layer, dropout);
  mask.first_sample += activations_.first_row();
  return product(GemmLayout::nt, activations_.input(layer), state_.weight(layer),
                 activations_.input(layer + 1),
                 BiasReluDropout{state_.bias(layer), mask, state_.step_state()});
}

Product LayerProducts::output_layer() const {
  return product(GemmLayout::nt, activations_.input(last()), state_.weight(last()), activations_.output(),
                 AddBias{state_.bias(last())});
}

Product LayerProducts::output_layer_with_loss(std::span<float> losses) const {
  return product(GemmLayout::nt, activations_.input(last()), state_.weight(last()),
                 activations_.gradient(last()),
                 SquaredErrorLoss{state_.bias(last()), activations_.target(), settings_.loss_divisor(),
                                  state_.step_state(), losses});
}

Product LayerProducts::data_gradient(std::size_t layer) const {
  return product(
      GemmLayout::nn, activations_.gradient(layer), state_.weight(layer),
      layer > 0 ? activations_.gradient(layer - 1) : activations_.input_gradient(),
      ReluDropoutBackward{activations_.input(layer), settings_.shape.dropout, state_.step_state()});
}

Product LayerProducts::weight_gradient(std::size_t layer) const {
  return product(GemmLayout::tn, activations_.gradient(layer), activations_.input(layer),
                 state_.weight_gradient(layer),
                 WeightGradient{state_.bias_gradient(layer), state_.step_state()});
}

Product LayerProducts::weight_gradient(std::size_t layer, float* place) const {
  const ParameterLayout& layout = state_.layout();
  Matrix weight = state_.weight_gradient(layer);
  weight.data = place;
  float* const bias = place + (layout.bias_offset(layer) - layout.weight_offset(layer));
  return product(GemmLayout::tn, activations_.gradient(layer), activations_.input(layer), weight,
                 WeightGradient{bias, state_.step_state()});
}

Product LayerProducts::update(std::size_t layer) const {
  return product(GemmLayout::tn, activations_.gradient(layer), activations_.input(layer),
                 state_.weight_gradient(layer), state_.adam_update(layer));
}

Product LayerProducts::partial_output(std::size_t layer, Matrix sums) const {
  return product(GemmLayout::nt, activations_.input(layer), state_.weight(layer), sums, StoreProduct{});
}

Product LayerProducts::partial_data_gradient(std::size_t layer, Matrix sums) const {
  return product(GemmLayout::nn, activations_.gradient(layer), state_.weight(layer), sums, StoreProduct{});
}

}  // namespace breakeven::model
