// SPDX-License-Identifier: Apache-2.0
// What training changes: parameters, gradients and optimizer moments, each in one flat buffer, and the step
// state. Of sharded state (MlpSettings::sharding) a rank holds only its own parts.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator_fwd.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven::model {

class ModelState {
 public:
  // Initialises the parameters; everything else is zero.
  ModelState(Device& device, const MlpSettings& settings, Stream& stream);

  const ParameterLayout& layout() const { return layout_; }  // of the whole model
  const std::vector<Bucket>& buckets() const { return buckets_; }
  const std::vector<OwnPart>& own_parts() const { return own_parts_; }  // one a bucket

  // The whole model's, or this rank's parts one after another.
  std::span<float> parameters() const { return {parameters_.as<>(), sizes_.masters}; }
  std::span<float> gradients() const { return place_of_gradients_; }
  // What another rank needs to continue as this one: the step state follows the parameters in memory.
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
  AdamUpdate adam_update(std::size_t layer) const;  // fused with the weight gradient

  // Where all of a bucket's gradients are made. With sharded gradients, buckets use two buffers in turn: call
  // clear_padding before, to remove the older bucket's values from the padding, and keep_own_gradient after,
  // to copy this rank's part to gradients().
  std::span<float> bucket_gradients(std::size_t bucket) const;
  void clear_padding(std::size_t bucket, Stream& stream);
  void keep_own_gradient(std::size_t bucket, Stream& stream);
  std::span<float> own_gradient(std::size_t bucket) const;
  std::span<float> own_parameters(std::size_t bucket) const;  // in fp32

  // A bucket's weights as products read them, divided into one share per rank. Counted in floats whatever the
  // dtype is, because communicators count in floats. With sharded parameters, buckets use two buffers in
  // turn.
  struct Shares {
    float* data;
    std::size_t share;  // floats in each
  };
  Shares bucket_weights(std::size_t bucket) const;
  // Before gathering: copies this rank's share there, unless the update has already written it there.
  void lay_own_weights(std::size_t bucket, Stream& stream);
  // The biases, always fp32; empty if they are gathered with fp32 weights. lay_own_biases writes this rank's
  // biases and zeros for the others', so a sum over the ranks gathers them.
  std::span<float> gathered_biases() const { return {biases_.as<>(), biases_.bytes() / sizeof(float)}; }
  void lay_own_biases(Stream& stream);

  // Updates this rank's parameters from their gradients and ends the step.
  void update(Stream& stream);
  // update() by the gradients' sums over the ranks, in one pass with their exchange. Returns false, and
  // enqueues nothing, where the transport or the settings have no such pass.
  bool update_by_sums(Communicator& communicator, Stream& stream);
  // The same with sharded moments: each rank updates its share, and all get the new weights of products.
  bool update_shares(Communicator& communicator, Stream& stream);
  // Instead of update(), after the parameters have been received: refreshes the copy that products read.
  void take_parameters(Stream& stream);
  // Uses `place`, of the same size, for gradients() from now on. Work already enqueued is not affected.
  void place_gradients(std::span<float> place) { place_of_gradients_ = place; }
  // Clears this step's overflow, for an update that uses other gradients than this step's.
  void forget_overflow(Stream& stream);
  void end_step(Stream& stream);  // if the parameters have been updated already

 private:
  void begin_parameters(Stream& stream);
  std::size_t bucket_of(std::size_t layer) const;
  std::byte* weights_at(std::size_t bucket) const;  // what products read
  bool updates_in_one_pass(Sharded level) const;
  SummedUpdate summed_update() const;

  Device& device_;
  MlpSettings settings_;
  ParameterLayout layout_;
  std::vector<Bucket> buckets_;
  std::vector<OwnPart> own_parts_;
  StateSizes sizes_;
  Buffer parameters_;  // followed by the step state
  Buffer working_;     // the parameters in the precision's dtype; empty for fp32
  Buffer biases_;
  Buffer gradients_;
  std::span<float> place_of_gradients_;  // in gradients_ unless another has been given
  Buffer first_moment_;
  Buffer second_moment_;
  // Room for one bucket each, used in turn; empty unless sharded.
  std::array<Buffer, 2> weight_slots_;
  std::array<Buffer, 2> gradient_slots_;
};

}  // namespace breakeven::model
