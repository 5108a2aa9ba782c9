// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/overflow_agreement.h"

namespace breakeven {

OverflowAgreement::OverflowAgreement(Device& device, Communicator& group, Precision precision)
    : device_(device), group_(group), is_needed_(info_of(precision).scales_loss) {
  if (is_needed_) value_ = Buffer(device, sizeof(float), false, "overflow of all ranks");
}

void OverflowAgreement::agree(ModelState& state, Stream& stream) {
  if (!is_needed_) return;
  for (std::size_t bucket = 0; bucket < state.buckets().size(); ++bucket) {
    const std::span<const float> own = state.own_gradient(bucket);
    device_.find_overflow(own.size(), own.data(), state.step_state(), stream);
  }
  agree(state.step_state(), stream);
}

void OverflowAgreement::agree(StepState* state, Stream& stream) {
  if (!is_needed_) return;
  device_.store_overflow(state, value_.as<>(), stream);
  group_.all_reduce_sum(value_.as<>(), 1, stream);
  device_.find_overflow(1, value_.as<>(), state, stream);
}

}  // namespace breakeven
