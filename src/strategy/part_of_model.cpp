// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/part_of_model.h"

namespace breakeven {

void place_weight(Device& device, Replica& replica, const ParameterLayout& whole_layout, std::size_t layer,
                  std::span<float> whole, Stream& stream) {
  const PlaceInModel& place = replica.settings().place;
  const Matrix part = replica.state().layout().weight(replica.parameters().data(), layer);
  const Matrix all = whole_layout.weight(whole.data(), place.first_layer + layer);
  const auto row_bytes = static_cast<std::size_t>(part.cols) * sizeof(float);
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const std::int64_t whole_row = place.first_unit(layer + 1) + row;
    device.copy(all.floats() + whole_row * all.ld + place.first_unit(layer), part.floats() + row * part.ld,
                row_bytes, stream);
  }
}

void place_bias(Device& device, Replica& replica, const ParameterLayout& whole_layout, std::size_t layer,
                std::span<float> whole, Stream& stream) {
  const ReplicaSettings& settings = replica.settings();
  float* all = whole_layout.bias(whole.data(), settings.place.first_layer + layer);
  device.copy(all + settings.place.first_unit(layer + 1), replica.state().bias(layer),
              settings.shape.widths[layer + 1] * sizeof(float), stream);
}

OverflowAgreement::OverflowAgreement(Device& device, Communicator& group, Precision precision)
    : device_(device), group_(group), is_needed_(precision == Precision::fp16) {
  if (is_needed_) value_ = Buffer(device, sizeof(float), false, "overflow of all ranks");
}

void OverflowAgreement::add_messages(Precision precision, int ranks, std::vector<Message>& messages) {
  const std::size_t bytes = bytes_needed(precision);
  if (bytes > 0) messages.push_back({Collective::all_reduce, bytes, ranks});
}

void OverflowAgreement::agree(Replica& replica, Stream& stream) {
  if (!is_needed_) return;
  const std::span<float> gradients = replica.gradients();
  device_.find_overflow(gradients.size(), gradients.data(), replica.state().step_state(), stream);
  agree(replica.state().step_state(), stream);
}

void OverflowAgreement::agree(StepState* state, Stream& stream) {
  if (!is_needed_) return;
  device_.store_overflow(state, value_.as<>(), stream);
  group_.all_reduce_sum(value_.as<>(), 1, stream);
  device_.find_overflow(1, value_.as<>(), state, stream);
}

}  // namespace breakeven
