// SPDX-License-Identifier: Apache-2.0
// Where the buckets and this rank's parts of them lie in the buffers of a state, whole or sharded.
#include <algorithm>

#include "src/model/model_state.h"

namespace breakeven {

// Buckets begin at the last layer.
std::size_t ModelState::bucket_of(std::size_t layer) const {
  std::size_t bucket = 0;
  while (layer < buckets_[bucket].first_layer) bucket += 1;
  return bucket;
}

std::byte* ModelState::weights_at(std::size_t bucket) const {
  if (settings_.shards(Sharded::parameters)) return weight_slots_[bucket % 2].as<std::byte>();
  const Buffer& whole = sizes_.working > 0 ? working_ : parameters_;
  return whole.as<std::byte>() + buckets_[bucket].begin * settings_.dtype_bytes();
}

std::span<float> ModelState::bucket_gradients(std::size_t bucket) const {
  const Bucket& place = buckets_[bucket];
  if (settings_.shards(Sharded::gradients)) return {gradient_slots_[bucket % 2].as<>(), place.floats};
  return {gradients().data() + place.begin, place.floats};
}

void ModelState::clear_padding(std::size_t bucket, Stream& stream) {
  if (!settings_.shards(Sharded::gradients)) return;
  const std::span<float> gradients = bucket_gradients(bucket);
  std::size_t written = 0;
  for (std::size_t l = 0; l < layout_.layers(); ++l) {
    const auto& widths = settings_.shape.widths;
    if (bucket_of(l) == bucket) written += (std::size_t{widths[l]} + 1) * widths[l + 1];
  }
  if (written < gradients.size()) device_.fill_zero(gradients.data(), gradients.size_bytes(), stream);
}

void ModelState::keep_own_gradient(std::size_t bucket, Stream& stream) {
  if (!settings_.shards(Sharded::gradients)) return;
  const std::size_t within = own_parts_[bucket].in_whole - buckets_[bucket].begin;
  const std::span<float> own = own_gradient(bucket);
  device_.copy(own.data(), bucket_gradients(bucket).data() + within, own.size_bytes(), stream);
}

std::span<float> ModelState::own_gradient(std::size_t bucket) const {
  const OwnPart& own = own_parts_[bucket];
  const std::size_t at = settings_.shards(Sharded::gradients) ? own.in_shares : own.in_whole;
  return {gradients().data() + at, own.floats};
}

std::span<float> ModelState::own_parameters(std::size_t bucket) const {
  const OwnPart& own = own_parts_[bucket];
  return {parameters_.as<>() + (settings_.shards_masters() ? own.in_shares : own.in_whole), own.floats};
}

ModelState::Shares ModelState::bucket_weights(std::size_t bucket) const {
  return {reinterpret_cast<float*>(weights_at(bucket)),
          own_parts_[bucket].floats * settings_.dtype_bytes() / sizeof(float)};
}

void ModelState::lay_own_weights(std::size_t bucket, Stream& stream) {
  if (!settings_.shards(Sharded::parameters)) return;
  const std::span<float> own = own_parameters(bucket);
  const std::size_t within = own_parts_[bucket].in_whole - buckets_[bucket].begin;
  device_.convert(own.size(), own.data(), weights_at(bucket) + within * settings_.dtype_bytes(),
                  settings_.dtype(), stream);
}

void ModelState::lay_own_biases(Stream& stream) {
  device_.fill_zero(biases_.as<>(), biases_.bytes(), stream);
  for (std::size_t l = 0; l < layout_.layers(); ++l) {
    const std::size_t bucket = bucket_of(l);
    const OwnPart& own = own_parts_[bucket];
    const std::size_t bias_begin = layout_.bias_offset(l);
    const std::size_t begin = std::max(bias_begin, own.in_whole);
    const std::size_t end = std::min(bias_begin + layout_.bias_floats(l), own.in_whole + own.floats);
    if (begin >= end) continue;
    device_.copy(const_cast<float*>(bias(l)) + (begin - bias_begin),
                 own_parameters(bucket).data() + (begin - own.in_whole), (end - begin) * sizeof(float),
                 stream);
  }
}

}  // namespace breakeven
