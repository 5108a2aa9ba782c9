// SPDX-License-Identifier: Apache-2.0
// Views of a batch in the network's memory: the input of every layer, the gradients of the backward pass, and
// the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/model/mlp_settings.h"

namespace breakeven {

// Does not own the memory.
class ActivationViews {
 public:
  // The views of one micro-batch. Micro-batches share the gradients, except the loss's. The inputs of layers
  // are kept for the micro-batches in flight.
  ActivationViews of_micro_batch(std::uint32_t number) const;
  std::uint32_t first_row() const { return first_row_; }  // among the rank's rows

  // With activation checkpointing (MlpSettings::layers_a_checkpoint), the inputs between two checkpoints use
  // the same memory as those between the next two, and the gradients of every other layer share one place.

  // [rows, in] of layer `layer`; layer 0's is the batch. In the precision's dtype.
  Matrix input(std::size_t layer) const { return inputs_[layer]; }
  // [rows, out]: the prediction in fp32, where the network does not compute the loss with it; of a part that
  // does not end the model, the next part's input.
  Matrix output() const { return inputs_.back(); }
  // [rows, out]: the loss's gradient by the layer's output, before ReLU where it has one. In the precision's
  // dtype.
  Matrix gradient(std::size_t layer) const { return gradients_[layer + 1]; }
  Matrix input_gradient() const { return gradients_.front(); }  // of a part that does not begin the model
  Matrix target() const { return target_; }  // [rows, out] values, or [rows, 1] class numbers; fp32

  // Places the views from `memory` on. Returns their bytes.
  std::size_t lay_out(const MlpSettings& settings, std::byte* memory);
  static std::size_t bytes_needed(const MlpSettings& settings) {
    return ActivationViews().lay_out(settings, nullptr);
  }

 private:
  std::uint32_t micro_rows_ = 0;
  std::uint32_t first_row_ = 0;
  std::vector<Matrix> inputs_;     // of every layer, then the output
  std::vector<Matrix> gradients_;  // of each of these
  Matrix target_;
};

}  // namespace breakeven
