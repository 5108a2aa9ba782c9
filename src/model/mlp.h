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
#include "kernels/side_stream.h"
#include "src/model/activations.h"
#include "src/model/layer_products.h"
#include "src/model/model_state.h"

namespace breakeven {

// The members below `loss history` enqueue training steps on a stream: either whole_steps, or the parts of
// one: load_batch, forward, then backward and update, with the gradients in memory between them, or
// backward_and_update. The sums over the replicas of a global batch of `losses` and `gradients` are the
// single replica's.
//
// Rows that are divided (MlpSettings::micro_batches) go through the first three part by part, each part's
// gradient is added to those before it, and the losses are added up by the last part's way forward. Calls
// that name no part are of the last one.
class Mlp {
 public:
  using LayerHook = std::function<void(std::size_t layer)>;
  static void no_hook(std::size_t) {}

  Mlp(Device& device, const MlpSettings& settings, Stream& stream);
  Mlp(const Mlp&) = delete;  // its products know where it lies
  Mlp& operator=(const Mlp&) = delete;

  const MlpSettings& settings() const { return settings_; }
  ModelState& state() { return state_; }
  const ActivationViews& activations() const { return activations_; }
  const LayerProducts& products() const { return products_; }
  std::span<float> parameters() const { return state_.parameters(); }
  std::span<float> gradients() const { return state_.gradients(); }
  const StepState* step_state() const { return state_.step_state(); }
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

  void load_batch(std::uint32_t micro_batch, const BatchSource& source, Stream& stream);
  void load_batch(const BatchSource& source, Stream& stream) {
    load_batch(last_micro_batch(), source, stream);
  }
  // With the loss and its gradient. `before_layer(layer)` is called before the layer's work is enqueued, here
  // and in backward, so that sharded weights can be gathered for it.
  void forward(std::uint32_t micro_batch, const LayerHook& before_layer, Stream& stream);
  void forward(const LayerHook& before_layer, Stream& stream) {
    forward(last_micro_batch(), before_layer, stream);
  }
  void forward(Stream& stream) { forward(no_hook, stream); }
  // `gradient_ready(layer)` is called as soon as the work that makes a layer's gradient is enqueued, last
  // layer first, so that an exchange can start beside the rest.
  void backward(std::uint32_t micro_batch, const LayerHook& before_layer, const LayerHook& gradient_ready,
                Stream& stream);
  void backward(const LayerHook& before_layer, const LayerHook& gradient_ready, Stream& stream) {
    backward(last_micro_batch(), before_layer, gradient_ready, stream);
  }
  void backward(const LayerHook& gradient_ready, Stream& stream) {
    backward(no_hook, gradient_ready, stream);
  }
  void update(Stream& stream) { state_.update(stream); }  // ends the step
  // Both at once: every layer's parameters are updated where its gradient appears, and it need not be stored.
  // The chain of data gradients goes ahead; updates run beside it once it has read the layer's weights. Where
  // gradients are added up, or activations not all kept, it is one behind the other all the same.
  void backward_and_update(Stream& stream);

  // Inference without dropout on rows already brought to input(); at most as many as it has.
  Matrix input() const { return activations_.input(0); }
  ConstMatrix predict(const LayerHook& before_layer, Stream& stream);  // fp32

 private:
  std::size_t layers() const { return settings_.shape.layers(); }
  std::uint32_t last_micro_batch() const { return settings_.micro_batches.count - 1; }
  // The updates can be parts of the products that make the gradients.
  bool updates_with_gradients() const;
  bool begins_model() const { return settings_.place.first_layer == 0; }

  void hidden_layer(std::size_t layer, float dropout, const ActivationViews& batch, Stream& stream);
  void output_layer_with_loss(std::uint32_t micro_batch, const ActivationViews& batch, Stream& stream);
  // Those of its checkpoint's other layers, where `layer` is the last of them.
  void recompute_inputs(std::size_t layer, const ActivationViews& batch, Stream& stream);
  void weight_gradient(std::size_t layer, bool adds, const ActivationViews& batch, Stream& stream);
  // Before a product writes a matrix that lies where one of other widths has been.
  void clear_padding(const Matrix& matrix, Stream& stream);

  Device& device_;
  MlpSettings settings_;
  ModelState state_;
  Activations activations_;
  LayerProducts products_;
  Buffer step_notes_;
  Buffer losses_;
  Buffer step_ends_;
  // Of a micro-batch: a layer's gradient that is to be added to those before it; every one's loss.
  Buffer micro_gradient_;
  Buffer micro_losses_;
  SideStream side_stream_;  // updates beside the chain of data gradients
};

}  // namespace breakeven
