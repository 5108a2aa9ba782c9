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
      products_(settings_, state_, activations_),
      step_notes_(device, sizeof(StepNotes), false, "step notes"),
      losses_(device, settings.total_steps * sizeof(float), false, "loss history"),
      step_ends_(device, settings.total_steps * sizeof(std::uint64_t), false, "ends of steps"),
      beside_(device) {}

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
    step.forward.push_back(is_last ? products_.output_layer_with_loss(losses())
                                   : products_.hidden_layer(l, settings_.shape.dropout));
    step.updates.push_back(products_.update(l));
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
    device_.gemm(products_.hidden_layer(l, settings_.shape.dropout), stream);
  }
  before_layer(last);
  if (settings_.loss == LossKind::mean_squared_error) {
    device_.gemm(products_.output_layer_with_loss(losses()), stream);
    return;
  }
  device_.gemm(products_.output_layer(), stream);
  device_.softmax_cross_entropy(activations_.output(), activations_.target(), settings_.loss_divisor(),
                                state_.step_state(), activations_.gradient(layers() - 1), losses(), stream);
}

void Replica::backward(const LayerHook& before_layer, const LayerHook& gradient_ready, Stream& stream) {
  for (std::size_t l = layers(); l-- > 0;) {
    before_layer(l);
    device_.gemm(products_.weight_gradient(l), stream);
    gradient_ready(l);
    if (l > 0) device_.gemm(products_.data_gradient(l), stream);
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
    device_.gemm(products_.data_gradient(l), stream);  // the last reader of the layer's weights
    updates.push_back(products_.update(l));
    parameters += static_cast<std::size_t>(updates.back().c.rows * updates.back().c.cols);
    if (waits_for_chain || parameters < parameters_a_launch) continue;
    device_.gemm(updates, beside_.from(stream));
    updates.clear();
    parameters = 0;
    forked = true;
  }
  updates.push_back(products_.update(0));
  device_.gemm(updates, stream);
  if (forked) beside_.join(stream);
  state_.end_step(stream);
}

ConstMatrix Replica::predict(const LayerHook& before_layer, Stream& stream) {
  for (std::size_t l = 0; l + 1 < layers(); ++l) {
    before_layer(l);
    device_.gemm(products_.hidden_layer(l, 0.0f), stream);
  }
  before_layer(layers() - 1);
  device_.gemm(products_.output_layer(), stream);
  return activations_.output();
}

}  // namespace breakeven
