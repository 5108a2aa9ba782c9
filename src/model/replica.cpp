// SPDX-License-Identifier: Apache-2.0
#include "src/model/replica.h"

namespace breakeven {
namespace {

// Updates are launched beside the chain of data gradients by the million of parameters: fewer share a launch,
// which fills the GPU better than several small ones.
constexpr std::size_t parameters_a_launch = std::size_t{1} << 20;

}  // namespace

MemoryNeed Replica::memory_need(const ReplicaSettings& settings) {
  MemoryNeed need = ModelState::memory_need(settings);
  need.activations = Activations::bytes_needed(settings);
  need.histories = settings.total_steps * (sizeof(float) + sizeof(std::uint64_t)) + sizeof(StepNotes);
  return need;
}

Replica::Replica(Device& device, const ReplicaSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      state_(device, settings, stream),
      activations_(device, settings),
      step_notes_(device, sizeof(StepNotes), false, "step notes"),
      losses_(device, settings.total_steps * sizeof(float), false, "loss history"),
      step_ends_(device, settings.total_steps * sizeof(std::uint64_t), false, "ends of steps"),
      beside_(device) {}

Product Replica::product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c,
                         const Epilogue& epilogue) const {
  // Weights are written by the step before, activations by an earlier product than the one right before: what
  // only reads them can begin early. Not so weights that are gathered beside the product before.
  const bool b_is_early = layout == GemmLayout::tn || !settings_.shards(Sharded::parameters);
  return {layout, settings_.precision, {settings_.gemm}, a, b, c, epilogue, b_is_early};
}

Product Replica::hidden_layer(std::size_t layer, float dropout) const {
  const Dropout mask{dropout, settings_.seed, static_cast<std::uint32_t>(layer), settings_.first_sample};
  return product(GemmLayout::nt, activations_.input(layer), state_.weight(layer),
                 activations_.input(layer + 1), BiasReluDropout{state_.bias(layer), mask, step_state()});
}

Product Replica::output_layer() const {
  const std::size_t last = layers() - 1;
  return product(GemmLayout::nt, activations_.input(last), state_.weight(last), activations_.output(),
                 AddBias{state_.bias(last)});
}

Product Replica::output_layer_with_loss() {
  const std::size_t last = layers() - 1;
  return product(GemmLayout::nt, activations_.input(last), state_.weight(last),
                 activations_.gradient(layers() - 1),
                 SquaredErrorLoss{state_.bias(last), activations_.target(), settings_.loss_divisor(),
                                  state_.step_state(), losses()});
}

Product Replica::data_gradient(std::size_t layer) const {
  return product(
      GemmLayout::nn, activations_.gradient(layer), state_.weight(layer), activations_.gradient(layer - 1),
      ReluDropoutBackward{activations_.input(layer), settings_.shape.dropout, state_.step_state()});
}

Product Replica::weight_gradient(std::size_t layer, const Epilogue& epilogue) const {
  return product(GemmLayout::tn, activations_.gradient(layer), activations_.input(layer),
                 state_.weight_gradient(layer), epilogue);
}

Product Replica::update_of_layer(std::size_t layer) const {
  return weight_gradient(layer, state_.adam_update(layer));
}

bool Replica::whole_steps(const BatchSource& source, std::uint32_t count, Stream& stream) {
  if (settings_.optimizer != OptimizerKind::adam || settings_.loss != LossKind::mean_squared_error)
    return false;
  NetworkStep step{source,
                   activations_.input(0),
                   activations_.target(),
                   {},
                   {},
                   settings_.adam,
                   state_.step_state(),
                   step_notes_.as<StepNotes>(),
                   count,
                   step_ends_.as<std::uint64_t>()};
  for (std::size_t l = 0; l < layers(); ++l) {
    const bool is_last = l + 1 == layers();
    step.forward.push_back(is_last ? output_layer_with_loss() : hidden_layer(l, settings_.shape.dropout));
    step.updates.push_back(update_of_layer(l));
  }
  return device_.network_step(step, stream);
}

void Replica::load_batch(const BatchSource& source, Stream& stream) {
  device_.load_batch(source, step_state(), activations_.input(0), activations_.target(), stream);
}

void Replica::forward(const LayerHook& before_layer, Stream& stream) {
  const std::size_t last = layers() - 1;
  for (std::size_t l = 0; l < last; ++l) {
    before_layer(l);
    device_.gemm(hidden_layer(l, settings_.shape.dropout), stream);
  }
  before_layer(last);
  if (settings_.loss == LossKind::mean_squared_error) {
    device_.gemm(output_layer_with_loss(), stream);
    return;
  }
  device_.gemm(output_layer(), stream);
  device_.softmax_cross_entropy(activations_.output(), activations_.target(), settings_.loss_divisor(),
                                state_.step_state(), activations_.gradient(layers() - 1), losses(), stream);
}

void Replica::backward(const LayerHook& before_layer, const LayerHook& gradient_ready, Stream& stream) {
  for (std::size_t l = layers(); l-- > 0;) {
    before_layer(l);
    device_.gemm(weight_gradient(l, WeightGradient{state_.bias_gradient(l), step_state()}), stream);
    gradient_ready(l);
    if (l > 0) device_.gemm(data_gradient(l), stream);
  }
}

void Replica::backward_and_update(Stream& stream) {
  if (settings_.optimizer != OptimizerKind::adam) {
    backward([](std::size_t) {}, stream);
    return update(stream);
  }
  // Whether fp16 has overflowed is known when the chain has ended, and until then no parameter may change.
  const bool waits_for_chain = settings_.precision == Precision::fp16;
  std::vector<Product> updates;
  std::size_t parameters = 0;
  bool forked = false;
  for (std::size_t l = layers(); l-- > 1;) {
    device_.gemm(data_gradient(l), stream);  // the last reader of the layer's weights
    updates.push_back(update_of_layer(l));
    parameters += static_cast<std::size_t>(updates.back().c.rows * updates.back().c.cols);
    if (waits_for_chain || parameters < parameters_a_launch) continue;
    device_.gemm(updates, beside_.from(stream));
    updates.clear();
    parameters = 0;
    forked = true;
  }
  updates.push_back(update_of_layer(0));
  device_.gemm(updates, stream);
  if (forked) beside_.join(stream);
  state_.end_step(stream);
}

ConstMatrix Replica::predict(const LayerHook& before_layer, Stream& stream) {
  for (std::size_t l = 0; l + 1 < layers(); ++l) {
    before_layer(l);
    device_.gemm(hidden_layer(l, 0.0f), stream);
  }
  before_layer(layers() - 1);
  device_.gemm(output_layer(), stream);
  return activations_.output();
}

}  // namespace breakeven
