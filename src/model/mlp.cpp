// SPDX-License-Identifier: Apache-2.0
#include "src/model/mlp.h"

#include "src/core/model/mlp_memory.h"

namespace breakeven::model {
namespace {

// Updates of fewer parameters than this share a launch on the side stream: one launch fills the GPU better
// than several small ones.
constexpr std::size_t parameters_a_launch = std::size_t{1} << 20;

}  // namespace

Mlp::Mlp(Device& device, const MlpSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      state_(device, settings, stream),
      activations_(device, settings),
      products_(settings_, state_, activations_),
      step_notes_(device, sizeof(StepNotes), false, "step notes"),
      losses_(device, settings.total_steps * sizeof(float), false, "loss history"),
      step_ends_(device, settings.total_steps * sizeof(std::uint64_t), false, "ends of steps"),
      micro_gradient_(device, micro_gradient_bytes(settings), false, "gradient of a micro-batch"),
      micro_losses_(device, micro_losses_bytes(settings), false, "losses of micro-batches"),
      side_stream_(device) {}

bool Mlp::whole_steps(const BatchSource& source, std::uint32_t count, Stream& stream,
                      StepExchange* exchange) {
  if (!updates_with_gradients() || settings_.loss != LossKind::mean_squared_error) return false;
  NetworkStep step{.source = source,
                   .batch = activations_.input(0),
                   .target = activations_.target(),
                   .forward = {},
                   .updates = {},
                   .adam = settings_.adam,
                   .state = state_.step_state(),
                   .notes = step_notes_.as<StepNotes>(),
                   .steps = count,
                   .step_ends = step_ends_.as<std::uint64_t>(),
                   .exchange = exchange};
  for (std::size_t l = 0; l < layers(); ++l) {
    const bool is_last = l + 1 == layers();
    step.forward.push_back(is_last ? products_.output_layer_with_loss(losses())
                                   : products_.hidden_layer(l, settings_.shape.dropout));
    step.updates.push_back(products_.update(l));
  }
  return device_.network_step(step, stream);
}

bool Mlp::updates_with_gradients() const {
  return settings_.optimizer == OptimizerKind::adam && !settings_.micro_batches.are_several() &&
         settings_.layers_a_checkpoint == 0;
}

void Mlp::load_batch(std::uint32_t micro_batch, const BatchSource& source, Stream& stream) {
  const ActivationViews batch = activations_.of_micro_batch(micro_batch);
  device_.load_batch(rows_from(source, batch.first_row()), step_state(), batch.input(0), batch.target(),
                     stream);
}

void Mlp::forward(std::uint32_t micro_batch, const LayerHook& before_layer, Stream& stream) {
  const ActivationViews batch = activations_.of_micro_batch(micro_batch);
  const bool ends_model = settings_.place.ends_model;
  const std::size_t hidden = layers() - (ends_model ? 1 : 0);
  for (std::size_t l = 0; l < hidden; ++l) {
    before_layer(l);
    hidden_layer(l, settings_.shape.dropout, batch, stream);
  }
  if (!ends_model) return;
  before_layer(hidden);
  output_layer_with_loss(micro_batch, batch, stream);
}

void Mlp::hidden_layer(std::size_t layer, float dropout, const ActivationViews& batch, Stream& stream) {
  clear_padding(batch.input(layer + 1), stream);
  device_.gemm(LayerProducts(settings_, state_, batch).hidden_layer(layer, dropout), stream);
}

void Mlp::output_layer_with_loss(std::uint32_t micro_batch, const ActivationViews& batch, Stream& stream) {
  const LayerProducts products(settings_, state_, batch);
  const std::span<float> parts(micro_losses_.as<>(), settings_.micro_batches.count);
  const std::span<float> losses_of_part =
      settings_.micro_batches.are_several() ? parts.subspan(micro_batch, 1) : losses();
  if (settings_.loss == LossKind::mean_squared_error) {
    device_.gemm(products.output_layer_with_loss(losses_of_part), stream);
  } else {
    device_.gemm(products.output_layer(), stream);
    device_.softmax_cross_entropy(batch.output(), batch.target(), settings_.loss_divisor(),
                                  state_.step_state(), batch.gradient(layers() - 1), losses_of_part, stream);
  }
  if (settings_.micro_batches.are_several() && micro_batch == last_micro_batch())
    device_.total_of_losses(parts, step_state(), losses(), stream);
}

void Mlp::backward(std::uint32_t micro_batch, const LayerHook& before_layer, const LayerHook& gradient_ready,
                   Stream& stream) {
  const ActivationViews batch = activations_.of_micro_batch(micro_batch);
  for (std::size_t l = layers(); l-- > 0;) {
    recompute_inputs(l, batch, stream);
    before_layer(l);
    weight_gradient(l, micro_batch > 0, batch, stream);
    gradient_ready(l);
    if (l == 0 && begins_model()) continue;
    clear_padding(l > 0 ? batch.gradient(l - 1) : batch.input_gradient(), stream);
    device_.gemm(LayerProducts(settings_, state_, batch).data_gradient(l), stream);
  }
}

void Mlp::recompute_inputs(std::size_t layer, const ActivationViews& batch, Stream& stream) {
  const std::size_t together = settings_.layers_a_checkpoint;
  // The last layers' inputs are still there: they were computed last.
  if (together == 0 || (layer + 1) % together != 0 || layer + 1 == layers()) return;
  for (std::size_t l = layer + 1 - together; l < layer; ++l)
    hidden_layer(l, settings_.shape.dropout, batch, stream);
}

void Mlp::weight_gradient(std::size_t layer, bool adds, const ActivationViews& batch, Stream& stream) {
  const LayerProducts products(settings_, state_, batch);
  if (!adds) return device_.gemm(products.weight_gradient(layer), stream);
  const std::size_t floats = state_.layout().layer_floats(layer);
  const Matrix sum = state_.weight_gradient(layer);
  float* const part = micro_gradient_.as<>();
  const bool has_padding = static_cast<std::size_t>(sum.rows * (sum.cols + 1)) < floats;
  if (has_padding) device_.fill_zero(part, floats * sizeof(float), stream);
  device_.gemm(products.weight_gradient(layer, part), stream);
  device_.add(floats, part, sum.floats(), stream);
}

void Mlp::clear_padding(const Matrix& matrix, Stream& stream) {
  if (settings_.layers_a_checkpoint == 0 || matrix.cols == matrix.ld) return;
  const auto floats = static_cast<std::size_t>(matrix.rows * matrix.ld);
  device_.fill_zero(matrix.data, floats * settings_.dtype_bytes(), stream);
}

void Mlp::backward_and_update(Stream& stream) {
  if (!updates_with_gradients()) {
    backward(no_hook, stream);
    return update(stream);
  }
  // fp16 overflow is known only when the chain has ended; until then no parameter may change.
  const bool waits_for_chain = info_of(settings_.precision).scales_loss;
  std::vector<Product> updates;
  std::size_t parameters = 0;
  bool forked = false;
  for (std::size_t l = layers(); l-- > 1;) {
    device_.gemm(products_.data_gradient(l), stream);  // the last reader of the layer's weights
    updates.push_back(products_.update(l));
    parameters += static_cast<std::size_t>(updates.back().c.rows * updates.back().c.cols);
    if (waits_for_chain || parameters < parameters_a_launch) continue;
    for (Product& update : updates) update.in_background = true;
    device_.gemm(updates, side_stream_.from(stream));
    updates.clear();
    parameters = 0;
    forked = true;
  }
  updates.push_back(products_.update(0));
  device_.gemm(updates, stream);
  if (forked) side_stream_.join(stream);
  state_.end_step(stream);
}

ConstMatrix Mlp::predict(const LayerHook& before_layer, Stream& stream) {
  for (std::size_t l = 0; l + 1 < layers(); ++l) {
    before_layer(l);
    hidden_layer(l, 0.0f, activations_, stream);
  }
  before_layer(layers() - 1);
  device_.gemm(products_.output_layer(), stream);
  return activations_.output();
}

}  // namespace breakeven::model
