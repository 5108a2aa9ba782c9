// SPDX-License-Identifier: Apache-2.0
#include "src/model/replica.h"

#include <cmath>

namespace breakeven {
namespace {

// fp16's first loss scale, and how long it must hold before it doubles: the values that have become usual
// since Micikevicius et al. (step_state.h).
constexpr float first_loss_scale = 65536;
constexpr std::uint32_t growth_interval = 2000;

// Updates are launched beside the chain of data gradients by the million of parameters: fewer share a launch,
// which fills the GPU better than several small ones.
constexpr std::size_t parameters_a_launch = std::size_t{1} << 20;

std::size_t bytes_of_matrix(std::int64_t rows, std::int64_t cols, Element element) {
  return static_cast<std::size_t>(rows * padded_width(cols) * bytes_of(element));
}

Matrix take(std::byte*& next, std::int64_t rows, std::int64_t cols, Element element) {
  const Matrix view{next, rows, cols, padded_width(cols), element};
  next += bytes_of_matrix(rows, cols, element);
  return view;
}

std::int64_t target_width(const ReplicaSettings& settings) {
  return settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
}

std::size_t activation_bytes(const ReplicaSettings& settings, Element element) {
  const auto& widths = settings.shape.widths;
  std::size_t bytes = bytes_of_matrix(settings.rows, target_width(settings), Element::fp32) +
                      bytes_of_matrix(settings.rows, widths.back(), Element::fp32);
  for (std::size_t l = 0; l < widths.size(); ++l) {
    bytes += (l == 0 ? 1 : 2) * bytes_of_matrix(settings.rows, widths[l], element);
  }
  return bytes;
}

}  // namespace

Replica::Replica(Device& device, const ReplicaSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      element_(info_of(settings.precision).element),
      layout_(settings.shape),
      parameters_(device, layout_.floats() * sizeof(float) + sizeof(StepState), false, "parameters"),
      gradients_(device, layout_.floats() * sizeof(float), false, "gradients"),
      step_notes_(device, sizeof(StepNotes), false, "step notes"),
      losses_(device, settings.total_steps * sizeof(float), false, "loss history"),
      step_ends_(device, settings.total_steps * sizeof(std::uint64_t), false, "ends of steps"),
      activation_memory_(device, activation_bytes(settings, element_), false, "activations"),
      beside_(device.make_stream()),
      forked_(device.make_event()),
      joined_(device.make_event()) {
  if (settings.optimizer == OptimizerKind::adam) {
    first_moment_ = Buffer(device, layout_.floats() * sizeof(float), false, "first moment");
    second_moment_ = Buffer(device, layout_.floats() * sizeof(float), false, "second moment");
  }
  const auto& widths = settings.shape.widths;
  auto* next = activation_memory_.as<std::byte>();
  activations_.push_back(take(next, settings.rows, widths[0], element_));
  for (std::size_t l = 1; l < widths.size(); ++l) {
    activation_gradients_.push_back(take(next, settings.rows, widths[l], element_));
    const bool is_output = l + 1 == widths.size();
    activations_.push_back(take(next, settings.rows, widths[l], is_output ? Element::fp32 : element_));
  }
  target_ = take(next, settings.rows, target_width(settings), Element::fp32);

  StepState start;
  if (settings.precision == Precision::fp16) {
    start.loss_scale = first_loss_scale;
    start.growth_interval = growth_interval;
  }
  device.copy(state(), &start, sizeof start, stream);
  stream.synchronize();  // `start` lives on this stack
  for (std::size_t l = 0; l < layers(); ++l) {
    // He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2: variance 2 / inputs; biases start at
    // 0.
    const float bound = std::sqrt(6.0f / static_cast<float>(widths[l]));
    device.fill_uniform(settings.seed, static_cast<std::uint32_t>(l), bound,
                        layout_.weight(parameters_.as<>(), l), stream);
  }
  if (element_ != Element::fp32) {
    working_ = Buffer(device, layout_.floats() * static_cast<std::size_t>(bytes_of(element_)), false,
                      "working copy of the parameters");
  }
  take_parameters(stream);
}

ConstMatrix Replica::weight(std::size_t layer) const {
  if (element_ == Element::fp32) return layout_.weight(parameters_.as<>(), layer);
  const Matrix place = layout_.weight(nullptr, layer);
  auto* at =
      working_.as<std::byte>() + layout_.weight_offset(layer) * static_cast<std::size_t>(bytes_of(element_));
  return {at, place.rows, place.cols, place.ld, element_};
}

Product Replica::product(GemmLayout layout, ConstMatrix a, ConstMatrix b, Matrix c,
                         const Epilogue& epilogue) const {
  // Weights are written by the step before, activations by an earlier product than the one right before: what
  // only reads them can begin early.
  return {layout, settings_.precision, {settings_.gemm}, a, b, c, epilogue, true};
}

Product Replica::hidden_layer(std::size_t layer, float dropout) const {
  const Dropout mask{dropout, settings_.seed, static_cast<std::uint32_t>(layer), settings_.first_sample};
  return product(GemmLayout::nt, activations_[layer], weight(layer), activations_[layer + 1],
                 BiasReluDropout{bias(layer), mask, step_state()});
}

Product Replica::output_layer() const {
  const std::size_t last = layers() - 1;
  return product(GemmLayout::nt, activations_[last], weight(last), activations_.back(), AddBias{bias(last)});
}

Product Replica::output_layer_with_loss() {
  const std::size_t last = layers() - 1;
  return product(GemmLayout::nt, activations_[last], weight(last), activation_gradients_.back(),
                 SquaredErrorLoss{bias(last), target_, settings_.global_batch, state(), losses()});
}

Product Replica::data_gradient(std::size_t layer) const {
  return product(GemmLayout::nn, activation_gradients_[layer], weight(layer),
                 activation_gradients_[layer - 1],
                 ReluDropoutBackward{activations_[layer], settings_.shape.dropout, state()});
}

Product Replica::weight_gradient(std::size_t layer, const Epilogue& epilogue) const {
  return product(GemmLayout::tn, activation_gradients_[layer], activations_[layer],
                 layout_.weight(gradients_.as<>(), layer), epilogue);
}

Product Replica::update_of_layer(std::size_t layer) const {
  const auto arrays_at = [&](std::size_t offset) {
    return AdamArrays{parameters_.as<>() + offset, first_moment_.as<>() + offset,
                      second_moment_.as<>() + offset};
  };
  const ConstMatrix read = weight(layer);
  return weight_gradient(
      layer, AdamUpdate{settings_.adam, step_state(), arrays_at(layout_.weight_offset(layer)),
                        element_ == Element::fp32 ? nullptr : const_cast<void*>(read.data),
                        arrays_at(layout_.bias_offset(layer)), layout_.bias(gradients_.as<>(), layer),
                        settings_.keep_gradients});
}

bool Replica::whole_steps(const BatchSource& source, std::uint32_t count, Stream& stream) {
  if (settings_.optimizer != OptimizerKind::adam || settings_.loss != LossKind::mean_squared_error)
    return false;
  NetworkStep step{source,  activations_.front(),
                   target_, {},
                   {},      settings_.adam,
                   state(), step_notes_.as<StepNotes>(),
                   count,   step_ends_.as<std::uint64_t>()};
  for (std::size_t l = 0; l < layers(); ++l) {
    const bool is_last = l + 1 == layers();
    step.forward.push_back(is_last ? output_layer_with_loss() : hidden_layer(l, settings_.shape.dropout));
    step.updates.push_back(update_of_layer(l));
  }
  return device_.network_step(step, stream);
}

void Replica::load_batch(const BatchSource& source, Stream& stream) {
  device_.load_batch(source, step_state(), activations_.front(), target_, stream);
}

void Replica::forward(Stream& stream) {
  const std::size_t last = layers() - 1;
  for (std::size_t l = 0; l < last; ++l) device_.gemm(hidden_layer(l, settings_.shape.dropout), stream);
  if (settings_.loss == LossKind::mean_squared_error) {
    device_.gemm(output_layer_with_loss(), stream);
    return;
  }
  device_.gemm(output_layer(), stream);
  device_.softmax_cross_entropy(activations_.back(), target_, settings_.global_batch, state(),
                                activation_gradients_.back(), losses(), stream);
}

void Replica::backward(const LayerHook& gradient_ready, Stream& stream) {
  for (std::size_t l = layers(); l-- > 0;) {
    device_.gemm(weight_gradient(l, WeightGradient{layout_.bias(gradients_.as<>(), l), step_state()}),
                 stream);
    gradient_ready(l);
    if (l > 0) device_.gemm(data_gradient(l), stream);
  }
}

void Replica::update(Stream& stream) {
  void* working = working_.as<void>();
  // Another rank's part of the gradient may have overflowed.
  if (settings_.precision == Precision::fp16) {
    device_.find_overflow(layout_.floats(), gradients_.as<>(), state(), stream);
  }
  if (settings_.optimizer == OptimizerKind::adam) {
    device_.adam(layout_.floats(), gradients_.as<>(), settings_.adam, state(),
                 {parameters_.as<>(), first_moment_.as<>(), second_moment_.as<>()}, working, element_,
                 stream);
  } else {
    device_.sgd(layout_.floats(), gradients_.as<>(), settings_.adam.learning_rate, state(),
                parameters_.as<>(), working, element_, stream);
  }
  device_.advance_step(settings_.adam, state(), stream);
}

void Replica::take_parameters(Stream& stream) {
  if (element_ == Element::fp32) return;
  device_.convert(layout_.floats(), parameters_.as<>(), working_.as<void>(), element_, stream);
}

void Replica::update_beside(std::span<const Product> updates, Stream& stream) {
  forked_->record(stream);
  beside_->wait_for(*forked_);
  device_.gemm(updates, *beside_);
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
    update_beside(updates, stream);
    updates.clear();
    parameters = 0;
    forked = true;
  }
  updates.push_back(update_of_layer(0));
  device_.gemm(updates, stream);
  if (forked) {
    joined_->record(*beside_);
    stream.wait_for(*joined_);
  }
  device_.advance_step(settings_.adam, state(), stream);
}

ConstMatrix Replica::predict(Stream& stream) {
  for (std::size_t l = 0; l + 1 < layers(); ++l) device_.gemm(hidden_layer(l, 0.0f), stream);
  device_.gemm(output_layer(), stream);
  return activations_.back();
}

}  // namespace breakeven
