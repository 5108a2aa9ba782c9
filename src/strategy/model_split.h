// SPDX-License-Identifier: Apache-2.0
// A model split among the ranks of a group, in one of several ways.
#pragma once

#include <span>
#include <vector>

#include "src/model/mlp.h"
#include "src/strategy/phase_marks.h"

namespace breakeven {

class ModelSplit {
 public:
  virtual ~ModelSplit() = default;

  virtual const MlpSettings& mlp_settings() const = 0;   // of this rank's part
  virtual const std::vector<Phase>& phases() const = 0;  // of make_gradient
  // The gradient of the group's samples, of this rank's part of the model.
  virtual void make_gradient(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) = 0;
  // As in Strategy, of the group's ranks.
  virtual void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) = 0;
  virtual std::vector<std::span<const float>> own_gradients(Mlp& mlp) const = 0;
};

}  // namespace breakeven
