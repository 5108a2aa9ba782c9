// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/model_split.h"

namespace breakeven::strategy {
namespace {

std::vector<Phase> joined(std::vector<Phase> phases, const std::vector<Phase>& more) {
  phases.insert(phases.end(), more.begin(), more.end());
  return phases;
}

}  // namespace

SplitStrategy::SplitStrategy(const StrategySetup& setup, std::unique_ptr<ModelSplit> split,
                             const std::vector<Phase>& after_gradient)
    : Strategy(setup, joined(split->phases(), after_gradient)), split_(std::move(split)) {}

void place_weight(Device& device, model::Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                  std::span<float> whole, Stream& stream) {
  const PlaceInModel& place = mlp.settings().place;
  const Matrix part = mlp.state().layout().weight(mlp.parameters().data(), layer);
  const Matrix all = whole_layout.weight(whole.data(), place.first_layer + layer);
  const auto row_bytes = static_cast<std::size_t>(part.cols) * sizeof(float);
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const std::int64_t whole_row = place.first_unit(layer + 1) + row;
    device.copy(all.floats() + whole_row * all.ld + place.first_unit(layer), part.floats() + row * part.ld,
                row_bytes, stream);
  }
}

void place_bias(Device& device, model::Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                std::span<float> whole, Stream& stream) {
  const MlpSettings& settings = mlp.settings();
  float* all = whole_layout.bias(whole.data(), settings.place.first_layer + layer);
  device.copy(all + settings.place.first_unit(layer + 1), mlp.state().bias(layer),
              settings.shape.widths[layer + 1] * sizeof(float), stream);
}

}  // namespace breakeven::strategy
