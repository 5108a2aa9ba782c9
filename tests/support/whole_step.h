// SPDX-License-Identifier: Apache-2.0
// The small network's steps handed to the device as a whole.
#pragma once

#include "kernels/network_step.h"
#include "tests/support/small_network.h"

namespace breakeven {

using Widths = std::vector<std::int64_t>;

inline SmallNetworkSettings settings_of(const Widths& widths, std::int64_t rows, float rate,
                                        Precision precision) {
  SmallNetworkSettings settings;
  settings.widths = widths;
  settings.samples = 3 * rows + 11;
  settings.rows = rows;
  settings.global_batch = static_cast<std::uint32_t>(2 * rows);
  settings.first_sample = static_cast<std::uint32_t>(rows / 2);
  settings.rate = rate;
  settings.precision = precision;
  settings.passes = Passes::fused;
  if (info_of(precision).scales_loss) settings.loss_scale = 2;  // random weights make large gradients
  return settings;
}

class WholeStepNetwork : public SmallNetwork {
 public:
  WholeStepNetwork(Device& device, Stream& stream, const SmallNetworkSettings& settings,
                   std::uint32_t first_step)
      : SmallNetwork(device, stream, settings, first_step),
        notes_(device, sizeof(StepNotes), false, "step notes under test"),
        step_ends_(device, stream, std::vector<std::uint64_t>(loss_slots)) {}

  NetworkStep description() {
    NetworkStep step{batch_source(settings_), batch_.view(),         target_.view(), {}, {}, adam_,
                     state_.data(),           notes_.as<StepNotes>()};
    step.source.features = features_.view();
    step.source.targets = targets_.view();
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = *layers_[i];
      step.forward.push_back(forward_product(i));
      step.updates.push_back(product(GemmLayout::tn, layer.h_gradient.view(), input_of(i),
                                     layer.w_gradient.view(),
                                     AdamUpdate{adam_, state_.data(), layer.w_arrays(), working_weight(layer),
                                                layer.b_arrays(), layer.b_gradient.data(), true}));
    }
    return step;
  }

  // False, and nothing is done, where the device has no way of its own.
  bool whole_step() { return whole_steps(1); }
  bool whole_steps(std::uint32_t count, StepExchange* exchange = nullptr) {
    NetworkStep steps = description();
    steps.steps = count;
    steps.exchange = exchange;
    steps.step_ends = step_ends_.data();
    return device_.network_step(steps, stream_);
  }
  std::vector<std::uint64_t> step_ends() const { return step_ends_.download(); }

  void step_by_layers() {
    forward();
    backward();
    update();
  }

 private:
  Product product(GemmLayout layout, const ConstMatrix& a, const ConstMatrix& b, const Matrix& c,
                  const Epilogue& epilogue) const {
    return {layout, settings_.precision, {kernel_}, a, b, c, epilogue};
  }
  Product forward_product(std::size_t i) {
    const Layer& layer = *layers_[i];
    if (i + 1 < layers_.size()) {
      return product(GemmLayout::nt, input_of(i), weight_of(layer), layer.h.view(),
                     BiasReluDropout{layer.b.data(), dropout_of(settings_, i), state_.data()});
    }
    return product(GemmLayout::nt, input_of(i), weight_of(layer), layer.h_gradient.view(),
                   SquaredErrorLoss{layer.b.data(), target_.view(), settings_.global_batch, state_.data(),
                                    losses_.span()});
  }

  Buffer notes_;
  DeviceArray<std::uint64_t> step_ends_;
};

}  // namespace breakeven
