// SPDX-License-Identifier: Apache-2.0
// What tensor, pipeline and hybrid share: a model split among the ranks of a group.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "src/model/mlp.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/phase_marks.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {

// How one group splits a model: by layers (PipelineStage) or within each layer (TensorLayers).
class ModelSplit {
 public:
  virtual ~ModelSplit() = default;

  virtual const MlpSettings& mlp_settings() const = 0;   // of this rank's part
  virtual const std::vector<Phase>& phases() const = 0;  // of make_gradient
  // This rank's part of the gradient of the group's samples.
  virtual void make_gradient(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks,
                             Stream& stream) = 0;
  // As in Strategy, over the group's ranks.
  virtual void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) = 0;
  virtual std::vector<std::span<const float>> own_gradients(model::Mlp& mlp) const = 0;
};

// A strategy in which this rank holds the part of the model that a split gives it.
class SplitStrategy : public Strategy {
 public:
  // The phases of a step are those of the split's make_gradient, then `after_gradient`.
  SplitStrategy(const StrategySetup& setup, std::unique_ptr<ModelSplit> split,
                const std::vector<Phase>& after_gradient);

  MlpSettings mlp_settings(const MlpSettings&) const override { return split_->mlp_settings(); }
  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override {
    split_->gather_parameters(mlp, whole, stream);
  }
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t) const override {
    return split_->own_gradients(mlp);
  }

 protected:
  ModelSplit& split() { return *split_; }

 private:
  std::unique_ptr<ModelSplit> split_;
};

// Copies a layer's parameters from this rank's part to their place in the whole model's parameters.
void place_weight(Device& device, model::Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                  std::span<float> whole, Stream& stream);
void place_bias(Device& device, model::Mlp& mlp, const ParameterLayout& whole_layout, std::size_t layer,
                std::span<float> whole, Stream& stream);

}  // namespace breakeven::strategy
