// SPDX-License-Identifier: Apache-2.0
#include "src/train/replica.h"

#include <cmath>

namespace breakeven {
namespace {

std::size_t padded_floats(std::int64_t rows, std::int64_t cols) {
  return static_cast<std::size_t>(rows * padded_width(cols));
}

Matrix take(float*& next, std::int64_t rows, std::int64_t cols) {
  const Matrix view{next, rows, cols, padded_width(cols)};
  next += padded_floats(rows, cols);
  return view;
}

std::int64_t target_width(const ReplicaSettings& settings) {
  return settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
}

std::size_t activation_floats(const ReplicaSettings& settings) {
  const auto& widths = settings.shape.widths;
  std::size_t floats =
      padded_floats(settings.rows, target_width(settings)) + padded_floats(settings.rows, widths[0]);
  for (std::size_t l = 1; l < widths.size(); ++l) floats += 2 * padded_floats(settings.rows, widths[l]);
  return floats;
}

}  // namespace

Replica::Replica(Device& device, const ReplicaSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      layout_(settings.shape),
      parameters_(device, layout_.floats() * sizeof(float), false, "parameters"),
      gradients_(device, layout_.floats() * sizeof(float), false, "gradients"),
      step_state_(device, sizeof(StepState), false, "step state"),
      losses_(device, settings.total_steps * sizeof(float), false, "loss history"),
      activation_memory_(device, activation_floats(settings) * sizeof(float), false, "activations") {
  if (settings.optimizer == OptimizerKind::adam) {
    first_moment_ = Buffer(device, layout_.floats() * sizeof(float), false, "first moment");
    second_moment_ = Buffer(device, layout_.floats() * sizeof(float), false, "second moment");
  }
  const auto& widths = settings.shape.widths;
  float* next = activation_memory_.as<>();
  for (const std::uint32_t width : widths) activations_.push_back(take(next, settings.rows, width));
  for (std::size_t l = 1; l < widths.size(); ++l) {
    activation_gradients_.push_back(take(next, settings.rows, widths[l]));
  }
  target_ = take(next, settings.rows, target_width(settings));

  const StepState start;
  device.copy(step_state_.as<StepState>(), &start, sizeof start, stream);
  stream.synchronize();  // `start` lives on this stack
  for (std::size_t l = 0; l < settings.shape.layers(); ++l) {
    // He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2: variance 2 / inputs; biases start at
    // 0.
    const float bound = std::sqrt(6.0f / static_cast<float>(widths[l]));
    device.fill_uniform(settings.seed, static_cast<std::uint32_t>(l), bound,
                        layout_.weight(parameters_.as<>(), l), stream);
  }
}

void Replica::load_batch(const BatchSource& source, Stream& stream) {
  device_.load_batch(source, step_state(), activations_.front(), target_, stream);
}

void Replica::apply_layer(std::size_t layer, float dropout, Stream& stream) {
  const Matrix y = activations_[layer + 1];
  const float* bias = layout_.bias(parameters_.as<>(), layer);
  device_.gemm(GemmLayout::nt, settings_.gemm, activations_[layer], layout_.weight(parameters_.as<>(), layer),
               y, stream);
  if (layer + 1 == settings_.shape.layers()) {
    device_.add_bias(bias, y, stream);
  } else {
    const Dropout mask{dropout, settings_.seed, static_cast<std::uint32_t>(layer), settings_.first_sample};
    device_.bias_relu_dropout(bias, mask, step_state(), y, stream);
  }
}

void Replica::forward(Stream& stream) {
  for (std::size_t l = 0; l < settings_.shape.layers(); ++l) apply_layer(l, settings_.shape.dropout, stream);
  const auto loss = settings_.loss == LossKind::softmax_cross_entropy ? &Device::softmax_cross_entropy
                                                                      : &Device::mean_squared_error;
  (device_.*loss)(activations_.back(), target_, settings_.global_batch, step_state(),
                  activation_gradients_.back(), losses(), stream);
}

void Replica::backward(const LayerHook& gradient_ready, Stream& stream) {
  for (std::size_t l = settings_.shape.layers(); l-- > 0;) {
    const Matrix dy = activation_gradients_[l];
    device_.gemm(GemmLayout::tn, settings_.gemm, dy, activations_[l], layout_.weight(gradients_.as<>(), l),
                 stream);
    device_.bias_gradient(dy, layout_.bias(gradients_.as<>(), l), stream);
    gradient_ready(l);
    if (l == 0) return;
    const Matrix dx = activation_gradients_[l - 1];
    device_.gemm(GemmLayout::nn, settings_.gemm, dy, layout_.weight(parameters_.as<>(), l), dx, stream);
    device_.relu_dropout_backward(activations_[l], settings_.shape.dropout, dx, stream);
  }
}

void Replica::update(Stream& stream) {
  if (settings_.optimizer == OptimizerKind::adam) {
    device_.adam(layout_.floats(), gradients_.as<>(), settings_.adam, step_state(), parameters_.as<>(),
                 first_moment_.as<>(), second_moment_.as<>(), stream);
  } else {
    device_.sgd(layout_.floats(), gradients_.as<>(), settings_.adam.learning_rate, parameters_.as<>(),
                stream);
  }
  device_.advance_step(settings_.adam, step_state_.as<StepState>(), stream);
}

ConstMatrix Replica::predict(Stream& stream) {
  for (std::size_t l = 0; l < settings_.shape.layers(); ++l) apply_layer(l, 0.0f, stream);
  return activations_.back();
}

}  // namespace breakeven
