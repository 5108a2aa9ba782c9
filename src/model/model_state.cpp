// SPDX-License-Identifier: Apache-2.0
#include "src/model/model_state.h"

#include <algorithm>
#include <cmath>

#include "mpi/communicator.h"

namespace breakeven::model {
namespace {

// fp16's initial loss scale, and the steps without overflow before it doubles: the usual values since
// Micikevicius et al. (step_state.h).
constexpr float first_loss_scale = 65536;
constexpr std::uint32_t growth_interval = 2000;

StepState first_step(Precision precision) {
  StepState start;
  if (info_of(precision).scales_loss) {
    start.loss_scale = first_loss_scale;
    start.growth_interval = growth_interval;
  }
  return start;
}

}  // namespace

ModelState::ModelState(Device& device, const MlpSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      layout_(settings.shape, settings.sharding.ranks),
      buckets_(make_buckets(layout_, settings.sharding.bucket_bytes, settings.sharding.first_bucket_bytes)),
      own_parts_(make_own_parts(buckets_, settings.sharding.rank, settings.sharding.ranks)),
      sizes_(state_sizes(settings)),
      parameters_(device, sizes_.masters * sizeof(float) + sizeof(StepState), false, "parameters"),
      working_(device, sizes_.working * settings.dtype_bytes(), false, "working copy of the parameters"),
      biases_(device, sizes_.biases * sizeof(float), false, "gathered biases"),
      gradients_(device, sizes_.gradients * sizeof(float), false, "gradients"),
      first_moment_(device, sizes_.moment * sizeof(float), false, "first moment"),
      second_moment_(device, sizes_.moment * sizeof(float), false, "second moment") {
  place_of_gradients_ = {gradients_.as<>(), sizes_.gradients};
  for (std::size_t slot = 0; slot < 2; ++slot) {
    weight_slots_[slot] =
        Buffer(device, sizes_.weight_slots[slot] * settings.dtype_bytes(), false, "gathered weights");
    gradient_slots_[slot] =
        Buffer(device, sizes_.gradient_slots[slot] * sizeof(float), false, "gradients of a bucket");
  }
  const StepState start = first_step(settings.precision);
  device.copy(step_state(), &start, sizeof start, stream);
  stream.synchronize();  // `start` lives on this stack
  begin_parameters(stream);
}

// Fills the parameters bucket by bucket in the memory of the gradients: with sharded parameters no other
// buffer holds a whole layer.
void ModelState::begin_parameters(Stream& stream) {
  const bool shards_masters = settings_.shards_masters();
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const std::span<float> made = bucket_gradients(b);
    device_.fill_zero(made.data(), made.size_bytes(), stream);
    for (std::size_t l = 0; l < layout_.layers(); ++l) {
      if (bucket_of(l) != b) continue;
      // He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2: variance 2 / inputs; biases start
      // at 0.
      const PlaceInModel& place = settings_.place;
      const auto& widths = place.whole_widths.empty() ? settings_.shape.widths : place.whole_widths;
      const float bound = std::sqrt(6.0f / static_cast<float>(widths[l]));
      device_.fill_uniform(settings_.seed, static_cast<std::uint32_t>(place.first_layer + l),
                           {place.first_unit(l + 1), place.first_unit(l)}, bound, weight_gradient(l), stream);
    }
    const OwnPart& own = own_parts_[b];
    const std::span<const float> kept =
        shards_masters ? std::span<const float>(made).subspan(own.in_whole - buckets_[b].begin, own.floats)
                       : made;
    float* const to = parameters_.as<>() + (shards_masters ? own.in_shares : buckets_[b].begin);
    device_.copy(to, kept.data(), kept.size_bytes(), stream);
    if (sizes_.working > 0) {
      device_.convert(made.size(), made.data(), weights_at(b), settings_.dtype(), stream);
    }
    device_.fill_zero(made.data(), made.size_bytes(), stream);
  }
}

ConstMatrix ModelState::weight(std::size_t layer) const {
  const std::size_t bucket = bucket_of(layer);
  const std::size_t within = layout_.weight_offset(layer) - buckets_[bucket].begin;
  const Matrix place = layout_.weight(nullptr, layer);
  return {weights_at(bucket) + within * settings_.dtype_bytes(), place.rows, place.cols, place.ld,
          settings_.dtype()};
}

const float* ModelState::bias(std::size_t layer) const {
  if (sizes_.biases > 0) {
    std::size_t before = 0;
    for (std::size_t l = 0; l < layer; ++l) before += layout_.bias_floats(l);
    return biases_.as<>() + before;
  }
  if (!settings_.shards(Sharded::parameters)) return layout_.bias(parameters_.as<>(), layer);
  const std::size_t bucket = bucket_of(layer);
  return weight_slots_[bucket % 2].as<>() + (layout_.bias_offset(layer) - buckets_[bucket].begin);
}

Matrix ModelState::weight_gradient(std::size_t layer) const {
  const std::size_t bucket = bucket_of(layer);
  const Matrix place = layout_.weight(nullptr, layer);
  float* const at = bucket_gradients(bucket).data() + (layout_.weight_offset(layer) - buckets_[bucket].begin);
  return {at, place.rows, place.cols, place.ld};
}

float* ModelState::bias_gradient(std::size_t layer) const {
  const std::size_t bucket = bucket_of(layer);
  return bucket_gradients(bucket).data() + (layout_.bias_offset(layer) - buckets_[bucket].begin);
}

AdamUpdate ModelState::adam_update(std::size_t layer) const {
  const auto arrays_at = [&](std::size_t offset) {
    return AdamArrays{parameters_.as<>() + offset, first_moment_.as<>() + offset,
                      second_moment_.as<>() + offset};
  };
  void* working = settings_.dtype() == Dtype::fp32 ? nullptr : const_cast<void*>(weight(layer).data);
  return {.settings = settings_.adam,
          .state = step_state(),
          .weight = arrays_at(layout_.weight_offset(layer)),
          .working_weight = working,
          .bias = arrays_at(layout_.bias_offset(layer)),
          .bias_gradient = bias_gradient(layer),
          .keep_gradient = settings_.keep_evidence};
}

void ModelState::update(Stream& stream) {
  // Ranks that update only their own parts have already agreed on overflow (OverflowAgreement).
  if (info_of(settings_.precision).scales_loss && settings_.sharding.level == Sharded::nothing) {
    device_.find_overflow(sizes_.gradients, gradients().data(), step_state(), stream);
  }
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const OwnPart& own = own_parts_[b];
    float* const gradient = own_gradient(b).data();
    float* const parameter = own_parameters(b).data();
    const bool narrow = sizes_.working > 0;
    const Dtype dtype = narrow ? settings_.dtype() : Dtype::fp32;
    void* const working =
        narrow ? weights_at(b) + (own.in_whole - buckets_[b].begin) * settings_.dtype_bytes() : nullptr;
    if (settings_.optimizer == OptimizerKind::adam) {
      const std::size_t at = settings_.shards(Sharded::moments) ? own.in_shares : own.in_whole;
      const AdamArrays arrays{parameter, first_moment_.as<>() + at, second_moment_.as<>() + at};
      device_.adam(own.floats, gradient, settings_.adam, step_state(), arrays, working, dtype, stream);
    } else {
      device_.sgd(own.floats, gradient, settings_.adam.learning_rate, step_state(), parameter, working, dtype,
                  stream);
    }
  }
  end_step(stream);
}

// An overflow of fp16 is known only from the sums, before the update.
bool ModelState::updates_in_one_pass(Sharded level) const {
  return settings_.sharding.level == level && buckets_.size() == 1 &&
         settings_.optimizer == OptimizerKind::adam && !info_of(settings_.precision).scales_loss;
}

SummedUpdate ModelState::summed_update() const {
  const OwnPart& own = own_parts_.front();
  const std::size_t of_moments = settings_.shards(Sharded::moments) ? own.in_shares : own.in_whole;
  return {
      .count = own.floats,
      .gradient = gradients().data(),
      .settings = settings_.adam,
      .state = step_state(),
      .arrays = {own_parameters(0).data(), first_moment_.as<>() + of_moments,
                 second_moment_.as<>() + of_moments},
      .working = sizes_.working > 0 || settings_.sharding.ranks > 1 ? weights_at(0) : nullptr,
      .dtype = settings_.dtype(),
      .keep_gradient = settings_.keep_evidence,
  };
}

bool ModelState::update_by_sums(Communicator& communicator, Stream& stream) {
  if (!updates_in_one_pass(Sharded::nothing)) return false;
  if (!communicator.all_reduce_and_update(summed_update(), stream)) return false;
  end_step(stream);
  return true;
}

bool ModelState::update_shares(Communicator& communicator, Stream& stream) {
  if (!updates_in_one_pass(Sharded::moments)) return false;
  if (!communicator.update_shares(summed_update(), stream)) return false;
  end_step(stream);
  return true;
}

void ModelState::take_parameters(Stream& stream) {
  if (settings_.dtype() == Dtype::fp32) return;
  device_.convert(layout_.floats(), parameters_.as<>(), working_.as<void>(), settings_.dtype(), stream);
}

void ModelState::forget_overflow(Stream& stream) {
  if (!info_of(settings_.precision).scales_loss) return;
  device_.fill_zero(&step_state()->overflow, sizeof(StepState::overflow), stream);
}

void ModelState::end_step(Stream& stream) { device_.advance_step(settings_.adam, step_state(), stream); }

// Where the buckets and this rank's shares of them lie in the buffers, whole or sharded.

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
  std::vector<FloatsPart> parts;
  for (std::size_t l = 0; l < layout_.layers(); ++l) {
    const std::size_t bucket = bucket_of(l);
    const OwnPart& own = own_parts_[bucket];
    const std::size_t bias_begin = layout_.bias_offset(l);
    const std::size_t begin = std::max(bias_begin, own.in_whole);
    const std::size_t end = std::min(bias_begin + layout_.bias_floats(l), own.in_whole + own.floats);
    if (begin >= end) continue;
    const std::ptrdiff_t in_gathered = bias(l) - biases_.as<>();
    parts.push_back({.from = own_parameters(bucket).data() + (begin - own.in_whole),
                     .begin = static_cast<std::size_t>(in_gathered) + (begin - bias_begin),
                     .count = end - begin});
  }
  device_.assemble(parts, gathered_biases(), stream);
}

}  // namespace breakeven::model
