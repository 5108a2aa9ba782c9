// SPDX-License-Identifier: Apache-2.0
// What training changes: the parameters with their gradients and moments, each one flat buffer, and the
// number of the step.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/device.h"
#include "src/model/memory_need.h"
#include "src/model/parameter_layout.h"
#include "src/model/replica_settings.h"

namespace breakeven {

class ModelState {
 public:
  // Its part of what training takes: parameters, working copy, gradients, moments.
  static MemoryNeed memory_need(const ReplicaSettings& settings);

  // Parameters as training begins with them; all else is zero.
  ModelState(Device& device, const ReplicaSettings& settings, Stream& stream);

  const ParameterLayout& layout() const { return layout_; }
  std::span<float> parameters() const { return {parameters_.as<>(), layout_.floats()}; }
  std::span<float> gradients() const { return {gradients_.as<>(), layout_.floats()}; }
  // What another replica needs to go on as this one does: the step's state lies behind the parameters.
  static_assert(sizeof(StepState) % sizeof(float) == 0);
  std::span<float> parameters_and_state() const {
    return {parameters_.as<>(), layout_.floats() + sizeof(StepState) / sizeof(float)};
  }
  StepState* step_state() const {
    return reinterpret_cast<StepState*>(parameters_.as<>() + layout_.floats());
  }

  // What the layers' products read and write.
  ConstMatrix weight(std::size_t layer) const;  // in the precision's element
  const float* bias(std::size_t layer) const { return layout_.bias(parameters_.as<>(), layer); }
  Matrix weight_gradient(std::size_t layer) const { return layout_.weight(gradients_.as<>(), layer); }
  float* bias_gradient(std::size_t layer) const { return layout_.bias(gradients_.as<>(), layer); }
  AdamUpdate adam_update(std::size_t layer) const;  // of the layer, where its gradient appears

  // The update of all parameters from gradients(); ends the step: its number advances.
  void update(Stream& stream);
  // In the place of update, once parameters_and_state() has come from a replica that made it.
  void take_parameters(Stream& stream);
  void end_step(Stream& stream);  // where the parameters have been updated already

 private:
  Device& device_;
  ReplicaSettings settings_;
  ParameterLayout layout_;
  Buffer parameters_;  // and behind them the step state
  Buffer working_;     // the parameters in the precision's element; empty where that is fp32
  Buffer gradients_;
  Buffer first_moment_;
  Buffer second_moment_;
};

}  // namespace breakeven
