// SPDX-License-Identifier: Apache-2.0
// One rank's copy of the network in training: its state, its activations, and the parts of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/plan/model_shape.h"
#include "src/train/parameter_layout.h"

namespace breakeven {

enum class LossKind { mean_squared_error, softmax_cross_entropy };
enum class OptimizerKind { adam, sgd };

struct ReplicaSettings {
  ModelShape shape;
  std::uint32_t global_batch = 0;
  std::uint32_t first_sample = 0;  // place of this replica's first row in the global batch
  std::uint32_t rows = 0;          // this replica's part of the batch
  LossKind loss = LossKind::mean_squared_error;
  OptimizerKind optimizer = OptimizerKind::adam;
  AdamSettings adam;  // its learning rate is SGD's as well
  std::uint64_t seed = 42;
  int gemm = 0;                   // index into the device's gemm_names()
  std::uint32_t total_steps = 0;  // slots of the loss history
};

// The members below `loss history` enqueue the parts of one training step, in this order, on a stream. The
// sums over the replicas of a global batch of `losses` and `gradients` are the single replica's.
class Replica {
 public:
  using LayerHook = std::function<void(std::size_t layer)>;

  Replica(Device& device, const ReplicaSettings& settings, Stream& stream);

  const ReplicaSettings& settings() const { return settings_; }
  std::span<float> parameters() { return {parameters_.as<>(), layout_.floats()}; }
  std::span<float> gradients() { return {gradients_.as<>(), layout_.floats()}; }
  const StepState* step_state() const { return step_state_.as<StepState>(); }
  std::span<float> losses() {
    return {losses_.as<>(), settings_.total_steps};
  }  // loss history, on the device

  void load_batch(const BatchSource& source, Stream& stream);
  void forward(Stream& stream);  // with the loss and its gradient
  // `gradient_ready(layer)` is called as soon as the work that makes a layer's gradient is enqueued, last
  // layer first, so that an exchange can start beside the rest.
  void backward(const LayerHook& gradient_ready, Stream& stream);
  void update(Stream& stream);  // ends the step: the step number advances

  // Inference without dropout on rows already copied to input(); at most settings().rows of them.
  Matrix input() const { return activations_.front(); }
  ConstMatrix predict(Stream& stream);

 private:
  void apply_layer(std::size_t layer, float dropout, Stream& stream);

  Device& device_;
  ReplicaSettings settings_;
  ParameterLayout layout_;
  Buffer parameters_;
  Buffer gradients_;
  Buffer first_moment_;
  Buffer second_moment_;
  Buffer step_state_;
  Buffer losses_;
  Buffer activation_memory_;
  std::vector<Matrix> activations_;           // input of each layer, and the last one's output
  std::vector<Matrix> activation_gradients_;  // of each layer's output
  Matrix target_;
};

}  // namespace breakeven
