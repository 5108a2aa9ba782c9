// SPDX-License-Identifier: Apache-2.0
// A multilayer perceptron of a few units, built from nothing but the device's operations, and its loss in
// double: enough to check that the operations fit together.
#pragma once

#include <memory>
#include <vector>

#include "tests/support/device_under_test.h"

namespace breakeven {

enum class Output { values, classes };
enum class Passes { fused, apart };  // epilogues in the products, or as passes of their own

struct SmallNetworkSettings {
  std::vector<std::int64_t> widths = {7, 6, 5, 3};  // inputs, hidden layers, outputs
  std::int64_t samples = 13;
  std::int64_t rows = 4;  // of the global batch, on this device
  std::uint32_t global_batch = 8;
  std::uint32_t first_sample = 3;
  float rate = 0.3f;
  std::uint64_t seed = 11;
  Output output = Output::values;
  Precision precision = Precision::fp32;
  Passes passes = Passes::apart;
  float loss_scale = 1;
};

struct LayerTables {
  Table w;
  std::vector<double> b;
};

inline std::vector<LayerTables> random_layers(const SmallNetworkSettings& settings) {
  std::vector<LayerTables> layers;
  for (std::size_t i = 0; i + 1 < settings.widths.size(); ++i) {
    const auto salt = static_cast<std::uint32_t>(100 + 2 * i);
    layers.push_back({random_table(settings.widths[i + 1], settings.widths[i], salt),
                      random_values(static_cast<std::size_t>(settings.widths[i + 1]), salt + 1)});
  }
  return layers;
}

struct DataTables {
  Table features;
  Table targets;
};

inline DataTables random_data(const SmallNetworkSettings& settings) {
  const std::int64_t outs = settings.widths.back();
  if (settings.output == Output::values) {
    return {random_table(settings.samples, settings.widths.front(), 90),
            random_table(settings.samples, outs, 91)};
  }
  Table classes(settings.samples, 1);
  for (std::int64_t sample = 0; sample < settings.samples; ++sample) {
    classes.at(sample, 0) = static_cast<double>(sample * 5 % outs);
  }
  return {random_table(settings.samples, settings.widths.front(), 90), classes};
}

inline BatchSource batch_source(const SmallNetworkSettings& settings) {
  BatchSource source;
  source.seed = settings.seed;
  source.global_batch = settings.global_batch;
  source.first_sample = settings.first_sample;
  return source;
}

inline Dropout dropout_of(const SmallNetworkSettings& settings, std::size_t layer) {
  return {.rate = settings.rate,
          .seed = settings.seed,
          .layer = static_cast<std::uint32_t>(layer),
          .first_sample = settings.first_sample};
}

// This device's part of the mean loss over the global batch of `step`, in double.
inline double reference_loss(const SmallNetworkSettings& settings, const std::vector<LayerTables>& layers,
                             std::uint32_t step) {
  const DataTables data = random_data(settings);
  Table h = reference::batch_rows(data.features, batch_source(settings), step, settings.rows);
  const Table target = reference::batch_rows(data.targets, batch_source(settings), step, settings.rows);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    h = reference::gemm(GemmLayout::nt, h, layers[i].w).c;
    if (i + 1 == layers.size()) {
      reference::add_bias(layers[i].b, h);
    } else {
      reference::bias_relu_dropout(layers[i].b, dropout_of(settings, i), step, h);
    }
  }
  return settings.output == Output::values
             ? reference::mean_squared_error(h, target, settings.global_batch).loss
             : reference::softmax_cross_entropy(h, target, settings.global_batch).loss;
}

// d loss / d value by a central difference: the error is of the order of the offset squared.
inline double slope(const SmallNetworkSettings& settings, std::vector<LayerTables>& layers,
                    std::uint32_t step, double& value) {
  constexpr double offset = 1e-5;
  const double start = value;
  value = start + offset;
  const double above = reference_loss(settings, layers, step);
  value = start - offset;
  const double below = reference_loss(settings, layers, step);
  value = start;
  return (above - below) / (2 * offset);
}

class SmallNetwork {
 public:
  static constexpr std::size_t loss_slots = 16;

  struct Layer {
    DeviceMatrix w, w_gradient, w_first_moment, w_second_moment;
    DeviceMatrix w_working;  // in the dtype of the precision; where that is fp32, `w` itself is read
    DeviceArray<float> b, b_gradient, b_first_moment, b_second_moment;
    DeviceMatrix h, h_gradient;  // what the layer puts out

    AdamArrays w_arrays() const {
      return {w.flat().data(), w_first_moment.flat().data(), w_second_moment.flat().data()};
    }
    AdamArrays b_arrays() const { return {b.data(), b_first_moment.data(), b_second_moment.data()}; }
  };

  SmallNetwork(Device& device, Stream& stream, const SmallNetworkSettings& settings, std::uint32_t first_step)
      : device_(device),
        stream_(stream),
        settings_(settings),
        dtype_(info_of(settings.precision).dtype),
        kernel_(device.gemm_kernels(settings.precision).front()),
        features_(device, stream, random_data(settings).features, Padding::to_16_bytes),
        targets_(device, stream, random_data(settings).targets, Padding::to_16_bytes),
        batch_(device, stream, Table(settings.rows, settings.widths.front()), Padding::to_16_bytes, dtype_),
        target_(device, stream, Table(settings.rows, random_data(settings).targets.cols),
                Padding::to_16_bytes),
        losses_(device, stream, std::vector<float>(loss_slots, -1.0f)),
        state_(scaled_state_at(device, stream, first_step, settings.loss_scale)) {
    for (const LayerTables& layer : random_layers(settings)) add_layer(layer);
  }

  void forward() {
    BatchSource source = batch_source(settings_);
    source.features = features_.view();
    source.targets = targets_.view();
    device_.load_batch(source, state_.data(), batch_.view(), target_.view(), stream_);
    for (std::size_t i = 0; i + 1 < layers_.size(); ++i) hidden_forward(i);
    output_forward();
  }

  void backward() {
    for (std::size_t i = layers_.size(); i-- > 0;) {
      const Layer& layer = *layers_[i];
      const Matrix dy = layer.h_gradient.view();
      if (i > 0) data_gradient(i);
      if (settings_.passes == Passes::fused) {
        multiply(GemmLayout::tn, dy, input_of(i), layer.w_gradient.view(),
                 WeightGradient{layer.b_gradient.data(), state_.data()});
      } else {
        multiply(GemmLayout::tn, dy, input_of(i), layer.w_gradient.view());
        device_.remove_loss_scale(state_.data(), layer.w_gradient.view(), stream_);
        device_.bias_gradient(dy, state_.data(), layer.b_gradient.data(), stream_);
      }
    }
  }

  void update() {
    for (const auto& layer : layers_) {
      device_.adam(layer->w.flat().size(), layer->w_gradient.flat().data(), adam_, state_.data(),
                   layer->w_arrays(), working_weight(*layer), dtype_, stream_);
      device_.adam(layer->b.size(), layer->b_gradient.data(), adam_, state_.data(), layer->b_arrays(),
                   nullptr, Dtype::fp32, stream_);
    }
    device_.advance_step(adam_, state_.data(), stream_);
  }

  // backward() and update() in one: a layer's weights change as soon as its data gradient has read them.
  void backward_with_update() {
    for (std::size_t i = layers_.size(); i-- > 0;) {
      const Layer& layer = *layers_[i];
      if (i > 0) data_gradient(i);
      multiply(GemmLayout::tn, layer.h_gradient.view(), input_of(i), layer.w_gradient.view(),
               AdamUpdate{adam_, state_.data(), layer.w_arrays(), working_weight(layer), layer.b_arrays(),
                          layer.b_gradient.data()});
    }
    device_.advance_step(adam_, state_.data(), stream_);
  }

  const Layer& layer(std::size_t i) const { return *layers_[i]; }
  std::size_t layer_count() const { return layers_.size(); }
  std::vector<float> losses() const { return losses_.download(); }
  StepState state() const { return state_.download()[0]; }

 protected:
  ConstMatrix input_of(std::size_t i) const { return i == 0 ? batch_.view() : layers_[i - 1]->h.view(); }
  Matrix weight_of(const Layer& layer) const {
    return dtype_ == Dtype::fp32 ? layer.w.view() : layer.w_working.view();
  }
  void* working_weight(const Layer& layer) const {
    return dtype_ == Dtype::fp32 ? nullptr : layer.w_working.data();
  }

  void multiply(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c,
                const Epilogue& epilogue = StoreProduct{}) {
    device_.gemm({layout, settings_.precision, {kernel_}, a, b, c, epilogue}, stream_);
  }

  void hidden_forward(std::size_t i) {
    const Layer& layer = *layers_[i];
    const Dropout dropout = dropout_of(settings_, i);
    if (settings_.passes == Passes::fused) {
      multiply(GemmLayout::nt, input_of(i), weight_of(layer), layer.h.view(),
               BiasReluDropout{layer.b.data(), dropout, state_.data()});
    } else {
      multiply(GemmLayout::nt, input_of(i), weight_of(layer), layer.h.view());
      device_.bias_relu_dropout(layer.b.data(), dropout, state_.data(), layer.h.view(), stream_);
    }
  }

  void output_forward() {
    const std::size_t i = layers_.size() - 1;
    const Layer& last = *layers_[i];
    const bool fused = settings_.passes == Passes::fused;
    if (fused && settings_.output == Output::values) {
      multiply(GemmLayout::nt, input_of(i), weight_of(last), last.h_gradient.view(),
               SquaredErrorLoss{last.b.data(), target_.view(), settings_.global_batch, state_.data(),
                                losses_.span()});
      return;
    }
    if (fused) {
      multiply(GemmLayout::nt, input_of(i), weight_of(last), last.h.view(), AddBias{last.b.data()});
    } else {
      multiply(GemmLayout::nt, input_of(i), weight_of(last), last.h.view());
      device_.add_bias(last.b.data(), last.h.view(), stream_);
    }
    const auto loss =
        settings_.output == Output::values ? &Device::mean_squared_error : &Device::softmax_cross_entropy;
    (device_.*loss)(last.h.view(), target_.view(), settings_.global_batch, state_.data(),
                    last.h_gradient.view(), losses_.span(), stream_);
  }

  void data_gradient(std::size_t i) {
    const Layer& layer = *layers_[i];
    const Layer& below = *layers_[i - 1];
    const Matrix dy = layer.h_gradient.view();
    const Matrix dh = below.h_gradient.view();
    if (settings_.passes == Passes::fused) {
      multiply(GemmLayout::nn, dy, weight_of(layer), dh,
               ReluDropoutBackward{below.h.view(), settings_.rate, state_.data()});
    } else {
      multiply(GemmLayout::nn, dy, weight_of(layer), dh);
      device_.relu_dropout_backward(below.h.view(), settings_.rate, state_.data(), dh, stream_);
    }
  }

  void add_layer(const LayerTables& tables) {
    const Table no_w(tables.w.rows, tables.w.cols);
    const Table no_h(settings_.rows, tables.w.rows);
    const std::vector<float> no_b(tables.b.size(), 0.0f);
    const auto matrix = [&](const Table& table, Dtype dtype = Dtype::fp32) {
      return DeviceMatrix(device_, stream_, table, Padding::to_16_bytes, dtype);
    };
    const auto array = [&](const std::vector<float>& values) {
      return DeviceArray<float>(device_, stream_, values);
    };
    layers_.push_back(
        std::make_unique<Layer>(Layer{matrix(tables.w), matrix(no_w), matrix(no_w), matrix(no_w),
                                      matrix(tables.w, dtype_), array(to_float(tables.b)), array(no_b),
                                      array(no_b), array(no_b), matrix(no_h, dtype_), matrix(no_h, dtype_)}));
  }

  Device& device_;
  Stream& stream_;
  SmallNetworkSettings settings_;
  Dtype dtype_;
  GemmKernel kernel_;
  AdamSettings adam_;
  DeviceMatrix features_, targets_, batch_, target_;
  DeviceArray<float> losses_;
  DeviceArray<StepState> state_;
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace breakeven
