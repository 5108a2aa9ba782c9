// SPDX-License-Identifier: Apache-2.0
// The network on one device (all of a model or one rank's part): its state, its activations, and the parts of
// a training step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "kernels/network_step.h"
#include "kernels/side_stream.h"
#include "src/core/model/activation_views.h"
#include "src/model/layer_products.h"
#include "src/model/model_state.h"

namespace breakeven::model {

// The memory of the activations, laid out as ActivationViews.
class Activations : public ActivationViews {
 public:
  Activations(Device& device, const MlpSettings& settings)
      : memory_(device, bytes_needed(settings), false, "activations") {
    lay_out(settings, memory_.as<std::byte>());
  }

 private:
  Buffer memory_;
};

// The members after losses() enqueue training steps on a stream: either whole_steps, or load_batch and
// forward, followed by backward and update (with all gradients in memory between them) or by
// backward_and_update. Summed over the ranks of a global batch, `losses` and `gradients` equal those of a
// single device.
//
// With several micro-batches (MlpSettings::micro_batches), call load_batch, forward and backward for each.
// backward adds each gradient to those before it; the last forward adds up the losses. Calls without a
// micro-batch are for the last one.
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
  // [step], on the device.
  std::span<float> losses() { return {losses_.as<>(), settings_.total_steps}; }

  // Enqueues `count` fused steps, of all ranks of an exchange if there is one (NetworkStep). Returns false
  // and enqueues nothing if the device cannot fuse this network's steps; a count of 0 only asks.
  bool whole_steps(const BatchSource& source, std::uint32_t count, Stream& stream,
                   StepExchange* exchange = nullptr);
  // [step], on the device: when each fused step ended, in nanoseconds of the device's clock.
  std::span<const std::uint64_t> step_ends() const {
    return {step_ends_.as<std::uint64_t>(), settings_.total_steps};
  }

  void load_batch(std::uint32_t micro_batch, const BatchSource& source, Stream& stream);
  void load_batch(const BatchSource& source, Stream& stream) {
    load_batch(last_micro_batch(), source, stream);
  }
  // Also computes the loss and its gradient. Here and in backward, `before_layer(layer)` is called before the
  // layer's work is enqueued, so sharded weights can be gathered for it.
  void forward(std::uint32_t micro_batch, const LayerHook& before_layer, Stream& stream);
  void forward(const LayerHook& before_layer, Stream& stream) {
    forward(last_micro_batch(), before_layer, stream);
  }
  void forward(Stream& stream) { forward(no_hook, stream); }
  // `gradient_ready(layer)` is called once the work that makes a layer's gradient is enqueued, last layer
  // first, so an exchange can overlap with the rest.
  void backward(std::uint32_t micro_batch, const LayerHook& before_layer, const LayerHook& gradient_ready,
                Stream& stream);
  void backward(const LayerHook& before_layer, const LayerHook& gradient_ready, Stream& stream) {
    backward(last_micro_batch(), before_layer, gradient_ready, stream);
  }
  void backward(const LayerHook& gradient_ready, Stream& stream) {
    backward(no_hook, gradient_ready, stream);
  }
  void update(Stream& stream) { state_.update(stream); }  // ends the step
  // Fuses each layer's update with the product that makes its gradient, which need not be stored. Updates run
  // on a side stream once the chain of data gradients has read the layer's weights. With several
  // micro-batches, checkpointing or SGD it is backward(), then update().
  void backward_and_update(Stream& stream);

  // Inference without dropout on the rows that the caller has copied to input().
  Matrix input() const { return activations_.input(0); }
  ConstMatrix predict(const LayerHook& before_layer, Stream& stream);  // fp32

 private:
  std::size_t layers() const { return settings_.shape.layers(); }
  std::uint32_t last_micro_batch() const { return settings_.micro_batches.count - 1; }
  // Whether updates can be fused with the products that make the gradients.
  bool updates_with_gradients() const;
  bool begins_model() const { return settings_.place.first_layer == 0; }

  void hidden_layer(std::size_t layer, float dropout, const ActivationViews& batch, Stream& stream);
  void output_layer_with_loss(std::uint32_t micro_batch, const ActivationViews& batch, Stream& stream);
  // If `layer` is the last of a checkpoint, recomputes the inputs of the checkpoint's other layers.
  void recompute_inputs(std::size_t layer, const ActivationViews& batch, Stream& stream);
  void weight_gradient(std::size_t layer, bool adds, const ActivationViews& batch, Stream& stream);
  // With checkpointing, matrices of different widths share memory, so padding must be cleared.
  void clear_padding(const Matrix& matrix, Stream& stream);

  Device& device_;
  MlpSettings settings_;
  ModelState state_;
  Activations activations_;
  LayerProducts products_;
  Buffer step_notes_;
  Buffer losses_;
  Buffer step_ends_;
  Buffer micro_gradient_;   // one layer's gradient of one micro-batch, before it is added to the others
  Buffer micro_losses_;     // [micro-batch]
  SideStream side_stream_;  // for updates, during the chain of data gradients
};

}  // namespace breakeven::model
