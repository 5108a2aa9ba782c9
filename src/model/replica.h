// SPDX-License-Identifier: Apache-2.0
// One rank's copy of the network in training: its state, its activations, and the parts of a step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "kernels/network_step.h"
#include "src/model/model_shape.h"
#include "src/model/parameter_layout.h"

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
  Precision precision = Precision::fp32;
  GemmKernel gemm = GemmKernel::tuned;
  std::uint32_t total_steps = 0;  // slots of the loss history
  bool keep_gradients = false;    // also where the update is made as they appear: for those who look at them
};

// The members below `loss history` enqueue training steps on a stream: either whole_steps, or the parts of
// one: load_batch, forward, then backward and update, with the gradients in memory between them, or
// backward_and_update. The sums over the replicas of a global batch of `losses` and `gradients` are the
// single replica's.
class Replica {
 public:
  using LayerHook = std::function<void(std::size_t layer)>;

  Replica(Device& device, const ReplicaSettings& settings, Stream& stream);

  const ReplicaSettings& settings() const { return settings_; }
  std::span<float> parameters() { return {parameters_.as<>(), layout_.floats()}; }
  std::span<float> gradients() { return {gradients_.as<>(), layout_.floats()}; }
  // What another replica needs to go on as this one does: the step state lies behind the parameters.
  static_assert(sizeof(StepState) % sizeof(float) == 0);
  std::span<float> parameters_and_state() {
    return {parameters_.as<>(), layout_.floats() + sizeof(StepState) / sizeof(float)};
  }
  const StepState* step_state() const { return state(); }
  std::span<float> losses() {
    return {losses_.as<>(), settings_.total_steps};
  }  // loss history, on the device

  // `count` steps one after another. Only where the device has a way of its own for such a network; else
  // nothing is enqueued, and it is false.
  bool whole_steps(const BatchSource& source, std::uint32_t count, Stream& stream);
  // When each whole step ended, by the device's own clock in nanoseconds; as many as losses, and on the
  // device.
  std::span<const std::uint64_t> step_ends() const {
    return {step_ends_.as<std::uint64_t>(), settings_.total_steps};
  }

  void load_batch(const BatchSource& source, Stream& stream);
  void forward(Stream& stream);  // with the loss and its gradient
  // `gradient_ready(layer)` is called as soon as the work that makes a layer's gradient is enqueued, last
  // layer first, so that an exchange can start beside the rest.
  void backward(const LayerHook& gradient_ready, Stream& stream);
  void update(Stream& stream);  // ends the step: the step number advances
  // In the place of update, once parameters_and_state() has come from a replica that made it.
  void take_parameters(Stream& stream);
  // Both at once: every layer's parameters are updated where its gradient appears, and it need not be stored.
  // The chain of data gradients goes ahead; updates run beside it once it has read the layer's weights.
  void backward_and_update(Stream& stream);

  // Inference without dropout on rows already brought to input(); at most settings().rows of them.
  Matrix input() const { return activations_.front(); }
  ConstMatrix predict(Stream& stream);  // fp32

 private:
  std::size_t layers() const { return settings_.shape.layers(); }
  StepState* state() const { return reinterpret_cast<StepState*>(parameters_.as<>() + layout_.floats()); }
  ConstMatrix weight(std::size_t layer) const;  // what products read
  const float* bias(std::size_t layer) const { return layout_.bias(parameters_.as<>(), layer); }
  Product product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c, const Epilogue& epilogue) const;
  Product hidden_layer(std::size_t layer, float dropout) const;
  Product output_layer() const;
  Product output_layer_with_loss();                // the mean squared error
  Product data_gradient(std::size_t layer) const;  // of the layer's input
  Product weight_gradient(std::size_t layer, const Epilogue& epilogue) const;
  Product update_of_layer(std::size_t layer) const;
  void update_beside(std::span<const Product> updates, Stream& stream);

  Device& device_;
  ReplicaSettings settings_;
  Element element_;
  ParameterLayout layout_;
  Buffer parameters_;  // and behind them the step state
  Buffer working_;     // the parameters in the precision's element; empty where that is fp32
  Buffer gradients_;
  Buffer first_moment_;
  Buffer second_moment_;
  Buffer step_notes_;
  Buffer losses_;
  Buffer step_ends_;
  Buffer activation_memory_;
  std::vector<Matrix> activations_;           // input of each layer, and the last one's output, in fp32
  std::vector<Matrix> activation_gradients_;  // of each layer's output
  Matrix target_;
  std::unique_ptr<Stream> beside_;  // updates beside the chain of data gradients
  std::unique_ptr<Event> forked_;
  std::unique_ptr<Event> joined_;
};

}  // namespace breakeven
