// SPDX-License-Identifier: Apache-2.0
// What training changes: the parameters with their gradients and moments, each one flat buffer, and the
// number of the step. Of what is sharded (MlpSettings::sharding) a rank has its own parts alone.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {

class ModelState {
 public:
  // Its part of what training takes: parameters, working copy, gradients, moments.

  // Parameters as training begins with them; all else is zero.
  ModelState(Device& device, const MlpSettings& settings, Stream& stream);

  const ParameterLayout& layout() const { return layout_; }  // of the whole model
  const std::vector<Bucket>& buckets() const { return buckets_; }
  const std::vector<OwnPart>& own_parts() const { return own_parts_; }  // one a bucket

  // Of the whole model, or this rank's parts of it one behind the other.
  std::span<float> parameters() const { return {parameters_.as<>(), sizes_.masters}; }
  std::span<float> gradients() const { return place_of_gradients_; }
  // What another replica needs to go on as this one does: the step's state lies behind the parameters.
  static_assert(sizeof(StepState) % sizeof(float) == 0);
  std::span<float> parameters_and_state() const {
    return {parameters_.as<>(), sizes_.masters + sizeof(StepState) / sizeof(float)};
  }
  StepState* step_state() const { return reinterpret_cast<StepState*>(parameters_.as<>() + sizes_.masters); }

  // What the layers' products read and write.
  ConstMatrix weight(std::size_t layer) const;  // in the precision's dtype
  const float* bias(std::size_t layer) const;
  Matrix weight_gradient(std::size_t layer) const;
  float* bias_gradient(std::size_t layer) const;
  AdamUpdate adam_update(std::size_t layer) const;  // of the layer, where its gradient appears

  // Where a bucket's gradients are made, all of them. Sharded ones share memory with those of the bucket two
  // before: clear_padding leaves nothing of these in the padding, and keep_own_gradient brings this rank's
  // part from there to gradients().
  std::span<float> bucket_gradients(std::size_t bucket) const;
  void clear_padding(std::size_t bucket, Stream& stream);
  void keep_own_gradient(std::size_t bucket, Stream& stream);
  std::span<float> own_gradient(std::size_t bucket) const;
  std::span<float> own_parameters(std::size_t bucket) const;  // in fp32

  // What the products read of a bucket: as many shares as ranks, for an exchange that counts in floats,
  // whatever the dtype is. Sharded ones share memory with those of the bucket two before.
  struct Shares {
    float* data;
    std::size_t share;  // floats in each
  };
  Shares bucket_weights(std::size_t bucket) const;
  // Before they are gathered: brings this rank's share there, where the update has not left it there.
  void lay_own_weights(std::size_t bucket, Stream& stream);
  // The biases, which products read in fp32 whatever the dtype is; empty where weights are gathered in fp32
  // and bring them along. lay_own_biases leaves zeros for those of the other ranks, to be summed over them.
  std::span<float> gathered_biases() const { return {biases_.as<>(), biases_.bytes() / sizeof(float)}; }
  void lay_own_biases(Stream& stream);

  // The update of this rank's parameters from their gradients; ends the step: its number advances.
  void update(Stream& stream);
  // In the place of update, once parameters_and_state() has come from a replica that made it.
  void take_parameters(Stream& stream);
  // From now on gradients() lie there, of as many floats; what is enqueued already keeps its place.
  void place_gradients(std::span<float> place) { place_of_gradients_ = place; }
  // For an update from other gradients than those that this step has made: only theirs decide on it.
  void forget_overflow(Stream& stream);
  void end_step(Stream& stream);  // where the parameters have been updated already

 private:
  void begin_parameters(Stream& stream);
  std::size_t bucket_of(std::size_t layer) const;
  std::byte* weights_at(std::size_t bucket) const;  // what products read

  Device& device_;
  MlpSettings settings_;
  ParameterLayout layout_;
  std::vector<Bucket> buckets_;
  std::vector<OwnPart> own_parts_;
  StateSizes sizes_;
  Buffer parameters_;  // and behind them the step state
  Buffer working_;     // the parameters in the precision's dtype; empty where that is fp32
  Buffer biases_;
  Buffer gradients_;
  std::span<float> place_of_gradients_;  // in gradients_ unless another has been given
  Buffer first_moment_;
  Buffer second_moment_;
  // Room for a bucket, used by turns; empty where that of the whole model is there.
  std::array<Buffer, 2> weight_slots_;
  std::array<Buffer, 2> gradient_slots_;
};

}  // namespace breakeven
