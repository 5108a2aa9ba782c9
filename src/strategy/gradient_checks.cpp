// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/gradient_checks.h"

namespace breakeven::strategy {
namespace {

std::size_t ranks_of(const Communicator* communicator) {
  return communicator != nullptr ? static_cast<std::size_t>(communicator->size()) : 1;
}

}  // namespace

GradientNorm::GradientNorm(Device& device, std::size_t buckets, Communicator* sharded_over)
    : device_(device),
      buckets_(buckets),
      communicator_(sharded_over),
      squares_(device, ranks_of(sharded_over) * buckets * sizeof(double), false, "squares of the gradient"),
      total_(device, sizeof(double), false, "square of the gradient's norm") {}

void GradientNorm::measure(model::ModelState& state, Stream& stream) {
  const std::size_t rank = communicator_ != nullptr ? static_cast<std::size_t>(communicator_->rank()) : 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    const std::span<const float> own = state.own_gradient(bucket);
    double* const square = squares_.as<double>() + rank * buckets_ + bucket;
    device_.sum_of_squares(own.size(), own.data(), state.step_state(), {square, 1}, stream);
  }
  if (communicator_ != nullptr) {
    communicator_->all_gather_words(squares_.as<>(), buckets_ * sizeof(double) / sizeof(float), stream);
  }
  device_.total_of_squares({squares_.as<double>(), squares_.bytes() / sizeof(double)}, total_.as<double>(),
                           state.step_state(), stream);
}

void GradientNorm::clip(model::ModelState& state, float limit, Stream& stream) {
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    const std::span<float> own = state.own_gradient(bucket);
    device_.clip_to_norm(own.size(), total_.as<double>(), limit, own.data(), stream);
  }
}

OverflowAgreement::OverflowAgreement(Device& device, Communicator& group, Precision precision)
    : device_(device), group_(group), is_needed_(info_of(precision).scales_loss) {
  if (is_needed_) value_ = Buffer(device, sizeof(float), false, "overflow of all ranks");
}

void OverflowAgreement::agree(model::ModelState& state, Stream& stream) {
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

}  // namespace breakeven::strategy
