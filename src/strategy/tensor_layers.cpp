// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/tensor_layers.h"

#include "src/core/strategy/tensor.h"

namespace breakeven::strategy {
namespace {

// Each exchange splits the phase around it in two.
std::vector<Phase> phases_of(const std::vector<bool>& inputs_divided, bool agrees) {
  std::vector<Phase> phases{Phase::input};
  for (const bool exchanges : inputs_divided) {
    if (exchanges) phases.insert(phases.end(), {Phase::forward, Phase::exchange});
  }
  phases.push_back(Phase::forward);
  for (std::size_t l = 1; l < inputs_divided.size(); ++l) {
    if (!inputs_divided[l]) phases.insert(phases.end(), {Phase::backward, Phase::exchange});
  }
  if (agrees) phases.insert(phases.end(), {Phase::backward, Phase::exchange});
  phases.push_back(Phase::backward);
  return phases;
}

std::size_t floats_of(const Matrix& matrix) { return static_cast<std::size_t>(matrix.rows * matrix.ld); }

}  // namespace

TensorLayers::TensorLayers(Device& device, Communicator& group, const MlpSettings& whole, bool updates)
    : device_(device),
      group_(group),
      part_(tensor_part_of(whole, group.rank(), group.size())),
      whole_layout_(whole.shape),
      inputs_are_divided_(divided_inputs(whole.shape)),
      phases_(phases_of(inputs_are_divided_, updates && info_of(whole.precision).scales_loss)),
      sums_(whole.shape.widths.size()),
      loss_of_others_(device, sizeof(float), false, "loss received from another rank"),
      agreement_(device, group, whole.precision),
      agrees_(updates && agreement_.is_needed()),
      side_stream_(device) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const std::size_t bytes = sums_bytes(whole, i);
    if (bytes > 0) sums_[i] = Buffer(device, bytes, false, "sums of partial products");
  }
}

// fp32 layers sum in their own matrix.
Matrix TensorLayers::sums_for(Matrix of_layers, std::size_t width) const {
  if (of_layers.dtype == Dtype::fp32) return of_layers;
  return {sums_[width].as<>(), of_layers.rows, of_layers.cols, of_layers.ld};
}

void TensorLayers::exchange(Matrix sums, const Epilogue& epilogue, Matrix finished, Phase within,
                            PhaseMarks& marks, Stream& stream) {
  marks.end_of(within, stream);
  const bool is_finished = group_.all_reduce_and_finish(sums, epilogue, finished, stream);
  if (!is_finished) group_.all_reduce_sum(sums.floats(), floats_of(sums), stream);
  marks.end_of(Phase::exchange, stream);
  if (!is_finished) finish(sums, epilogue, finished, stream);
}

void TensorLayers::finish(Matrix sums, const Epilogue& epilogue, Matrix finished, Stream& stream) {
  const auto* backward = std::get_if<ReluDropoutBackward>(&epilogue);
  if (const auto* output = std::get_if<AddBias>(&epilogue))
    device_.add_bias(output->bias, sums, stream);
  else if (const auto* hidden = std::get_if<BiasReluDropout>(&epilogue))
    device_.bias_relu_dropout(hidden->bias, hidden->dropout, hidden->state, sums, stream);
  else
    device_.relu_dropout_backward(backward->h, backward->rate, backward->state, sums, stream);
  if (finished.data == sums.data) return;
  device_.convert(floats_of(sums), sums.floats(), finished.data, finished.dtype, stream);
  if (backward != nullptr && agreement_.is_needed())
    device_.find_not_finite(finished, &backward->state->overflow, stream);
}

void TensorLayers::load_and_forward(model::Mlp& mlp, BatchSource source, PhaseMarks& marks, Stream& stream) {
  marks.begin(stream);
  ConstMatrix& features = source.features;
  const std::int64_t skipped_bytes = part_.place.first_unit(0) * bytes_of(features.dtype);
  features.data = static_cast<const std::byte*>(features.data) + skipped_bytes;
  features.cols = part_.shape.widths[0];
  mlp.load_batch(source, stream);
  marks.end_of(Phase::input, stream);
  const std::size_t layers = part_.shape.layers();
  for (std::size_t l = 0; l < layers; ++l) {
    if (!inputs_divided(l)) {
      device_.gemm(mlp.products().hidden_layer(l, part_.shape.dropout), stream);
      continue;
    }
    const bool is_last = l + 1 == layers;
    const ActivationViews& batch = mlp.activations();
    const Matrix sums = sums_for(is_last ? batch.output() : batch.input(l + 1), l + 1);
    device_.gemm(mlp.products().partial_output(l, sums), stream);
    const model::ModelState& state = mlp.state();
    if (is_last) {
      exchange(sums, AddBias{state.bias(l)}, sums, Phase::forward, marks, stream);
      measure_loss(mlp, stream);
    } else {
      const BiasReluDropout hidden{state.bias(l), dropout_of(part_, l, part_.shape.dropout),
                                   state.step_state()};
      exchange(sums, hidden, batch.input(l + 1), Phase::forward, marks, stream);
    }
  }
  marks.end_of(Phase::forward, stream);
}

void TensorLayers::measure_loss(model::Mlp& mlp, Stream& stream) {
  const std::size_t last = part_.shape.layers() - 1;
  const ActivationViews& batch = mlp.activations();
  StepState* state = mlp.state().step_state();
  const std::span<float> losses = group_.rank() == 0 ? mlp.losses() : std::span(loss_of_others_.as<>(), 1);
  if (part_.loss == LossKind::mean_squared_error) {
    device_.mean_squared_error(batch.output(), batch.target(), part_.loss_divisor(), state,
                               batch.gradient(last), losses, stream);
  } else {
    device_.softmax_cross_entropy(batch.output(), batch.target(), part_.loss_divisor(), state,
                                  batch.gradient(last), losses, stream);
  }
}

void TensorLayers::make_gradient(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks,
                                 Stream& stream) {
  load_and_forward(mlp, source, marks, stream);
  backward(
      mlp, [&](std::size_t layer) { return mlp.products().weight_gradient(layer); }, marks, stream);
  marks.end_of(Phase::backward, stream);
}

void TensorLayers::backward(model::Mlp& mlp, const std::function<Product(std::size_t layer)>& product_of,
                            PhaseMarks& marks, Stream& stream) {
  const ActivationViews& batch = mlp.activations();
  std::vector<Product> after_agreement;
  for (std::size_t l = part_.shape.layers(); l-- > 0;) {
    Matrix sums;
    if (l > 0 && inputs_divided(l)) {
      device_.gemm(mlp.products().data_gradient(l), stream);
    } else if (l > 0) {
      sums = sums_for(batch.gradient(l - 1), l);
      device_.gemm(mlp.products().partial_data_gradient(l, sums), stream);
    }
    if (agrees_) {
      after_agreement.push_back(product_of(l));
    } else {
      device_.gemm(product_of(l), side_stream_.from(stream));
    }
    if (sums.data == nullptr) continue;
    const ReluDropoutBackward through{batch.input(l), part_.shape.dropout, mlp.state().step_state()};
    exchange(sums, through, batch.gradient(l - 1), Phase::backward, marks, stream);
  }
  if (!agrees_) return side_stream_.join(stream);
  marks.end_of(Phase::backward, stream);
  agreement_.agree(mlp.state().step_state(), stream);
  marks.end_of(Phase::exchange, stream);
  device_.gemm(after_agreement, stream);
}

void TensorLayers::gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) {
  device_.fill_zero(whole.data(), whole.size_bytes(), stream);
  for (std::size_t l = 0; l < part_.shape.layers(); ++l) {
    place_weight(device_, mlp, whole_layout_, l, whole, stream);
    if (!inputs_divided(l)) place_bias(device_, mlp, whole_layout_, l, whole, stream);
  }
  group_.all_reduce_sum(whole.data(), whole.size(), stream);
  // Biases of the other layers are the same on all ranks: this rank shows its own.
  for (std::size_t l = 0; l < part_.shape.layers(); ++l) {
    if (inputs_divided(l)) place_bias(device_, mlp, whole_layout_, l, whole, stream);
  }
}

std::vector<std::span<const float>> TensorLayers::own_gradients(model::Mlp& mlp) const {
  const std::span<const float> all = mlp.gradients();
  if (group_.rank() == 0) return {all};
  const ParameterLayout& layout = mlp.state().layout();
  std::vector<std::span<const float>> parts;
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    const std::size_t begin = layout.weight_offset(l);
    const std::size_t end = l + 1 < layout.layers() ? layout.weight_offset(l + 1) : layout.floats();
    parts.push_back(all.subspan(begin, (inputs_divided(l) ? layout.bias_offset(l) : end) - begin));
  }
  return parts;
}

}  // namespace breakeven::strategy
