// SPDX-License-Identifier: Apache-2.0
// A multilayer perceptron of a few units, built from nothing but the device's operations, and its loss in
// double: enough to check that the operations fit together.
#pragma once

#include <memory>
#include <vector>

#include "tests/support/device_under_test.h"

namespace breakeven {

enum class Output { values, classes };

struct SmallNetworkSettings {
  std::vector<std::int64_t> widths = {7, 6, 5, 3};  // inputs, hidden layers, outputs
  std::int64_t samples = 13;
  std::int64_t rows = 4;  // of the global batch, on this device
  std::uint32_t global_batch = 8;
  std::uint32_t first_sample = 3;
  float rate = 0.3f;
  std::uint64_t seed = 11;
  Output output = Output::values;
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

class SmallNetwork {
 public:
  static constexpr std::size_t loss_slots = 16;

  struct Layer {
    DeviceMatrix w, w_gradient, w_first_moment, w_second_moment;
    DeviceArray<float> b, b_gradient, b_first_moment, b_second_moment;
    DeviceMatrix h, h_gradient;  // what the layer puts out
  };

  SmallNetwork(Device& device, Stream& stream, const SmallNetworkSettings& settings, std::uint32_t first_step)
      : device_(device),
        stream_(stream),
        settings_(settings),
        features_(device, stream, random_data(settings).features, Padding::to_16_bytes),
        targets_(device, stream, random_data(settings).targets, Padding::to_16_bytes),
        batch_(device, stream, Table(settings.rows, settings.widths.front()), Padding::to_16_bytes),
        target_(device, stream, Table(settings.rows, random_data(settings).targets.cols),
                Padding::to_16_bytes),
        losses_(device, stream, std::vector<float>(loss_slots, -1.0f)),
        state_(state_at(device, stream, first_step)) {
    for (const LayerTables& layer : random_layers(settings)) add_layer(layer);
  }

  void forward() {
    BatchSource source = batch_source(settings_);
    source.features = features_.view();
    source.targets = targets_.view();
    device_.load_batch(source, state_.data(), batch_.view(), target_.view(), stream_);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      Layer& layer = *layers_[i];
      device_.gemm(GemmLayout::nt, 0, input_of(i), layer.w.view(), layer.h.view(), stream_);
      if (i + 1 == layers_.size()) {
        device_.add_bias(layer.b.data(), layer.h.view(), stream_);
      } else {
        device_.bias_relu_dropout(layer.b.data(), dropout_of(settings_, i), state_.data(), layer.h.view(),
                                  stream_);
      }
    }
    const Layer& last = *layers_.back();
    const auto loss =
        settings_.output == Output::values ? &Device::mean_squared_error : &Device::softmax_cross_entropy;
    (device_.*loss)(last.h.view(), target_.view(), settings_.global_batch, state_.data(),
                    last.h_gradient.view(), losses_.span(), stream_);
  }

  void backward() {
    for (std::size_t i = layers_.size(); i-- > 0;) {
      Layer& layer = *layers_[i];
      const Matrix dy = layer.h_gradient.view();
      device_.gemm(GemmLayout::tn, 0, dy, input_of(i), layer.w_gradient.view(), stream_);
      device_.bias_gradient(dy, layer.b_gradient.data(), stream_);
      if (i == 0) continue;
      const Layer& below = *layers_[i - 1];
      device_.gemm(GemmLayout::nn, 0, dy, layer.w.view(), below.h_gradient.view(), stream_);
      device_.relu_dropout_backward(below.h.view(), settings_.rate, below.h_gradient.view(), stream_);
    }
  }

  void update() {
    for (const auto& layer : layers_) {
      device_.adam(layer->w.flat().size(), layer->w_gradient.flat().data(), adam_, state_.data(),
                   layer->w.flat().data(), layer->w_first_moment.flat().data(),
                   layer->w_second_moment.flat().data(), stream_);
      device_.adam(layer->b.size(), layer->b_gradient.data(), adam_, state_.data(), layer->b.data(),
                   layer->b_first_moment.data(), layer->b_second_moment.data(), stream_);
    }
    device_.advance_step(adam_, state_.data(), stream_);
  }

  const Layer& layer(std::size_t i) const { return *layers_[i]; }
  std::size_t layer_count() const { return layers_.size(); }
  std::vector<float> losses() const { return losses_.download(); }
  StepState state() const { return state_.download()[0]; }

 private:
  ConstMatrix input_of(std::size_t i) const { return i == 0 ? batch_.view() : layers_[i - 1]->h.view(); }

  void add_layer(const LayerTables& tables) {
    const Table no_w(tables.w.rows, tables.w.cols);
    const Table no_h(settings_.rows, tables.w.rows);
    const std::vector<float> no_b(tables.b.size(), 0.0f);
    const auto matrix = [&](const Table& table) {
      return DeviceMatrix(device_, stream_, table, Padding::to_16_bytes);
    };
    const auto array = [&](const std::vector<float>& values) {
      return DeviceArray<float>(device_, stream_, values);
    };
    layers_.push_back(std::make_unique<Layer>(Layer{matrix(tables.w), matrix(no_w), matrix(no_w),
                                                    matrix(no_w), array(to_float(tables.b)), array(no_b),
                                                    array(no_b), array(no_b), matrix(no_h), matrix(no_h)}));
  }

  Device& device_;
  Stream& stream_;
  SmallNetworkSettings settings_;
  AdamSettings adam_;
  DeviceMatrix features_, targets_, batch_, target_;
  DeviceArray<float> losses_;
  DeviceArray<StepState> state_;
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace breakeven
