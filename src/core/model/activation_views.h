// SPDX-License-Identifier: Apache-2.0
// Where a batch lies in the network: the input of every layer, the gradients on the way back, and the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/matrix.h"
#include "src/core/model/mlp_settings.h"

namespace breakeven {

// Views of memory that holds them; whoever makes them owns it.
class ActivationViews {
 public:
  // What one of several micro-batches leaves there, as if it were all. Micro-batches
  // share the gradients, all but the loss's; the layers' inputs are kept of those in flight.
  ActivationViews of_micro_batch(std::uint32_t number) const;
  std::uint32_t first_row() const { return first_row_; }  // of it among the replica's rows

  // Where checkpoints are kept alone (MlpSettings::layers_a_checkpoint), the inputs of the layers between
  // two of them lie where those between the next two do, and gradients of every other layer in one place.

  // [rows, in] of layer `layer`; layer 0's is the batch. In the precision's element.
  Matrix input(std::size_t layer) const { return inputs_[layer]; }
  // [rows, out]: in fp32, of a network that does not take the loss at once, what it predicts; of a part that
  // does not end the model, the next part's input.
  Matrix output() const { return inputs_.back(); }
  // [rows, out]: the loss's gradient by the layer's output, before ReLU where it has one. In the precision's
  // element.
  Matrix gradient(std::size_t layer) const { return gradients_[layer + 1]; }
  Matrix input_gradient() const { return gradients_.front(); }  // of a part that does not begin the model
  Matrix target() const { return target_; }  // [rows, out] values, or [rows, 1] class numbers; fp32

  // Views from `memory` on; returns how many bytes they take.
  std::size_t lay_out(const MlpSettings& settings, std::byte* memory);
  static std::size_t bytes_needed(const MlpSettings& settings) {
    return ActivationViews().lay_out(settings, nullptr);
  }

 private:
  std::uint32_t micro_rows_ = 0;
  std::uint32_t first_row_ = 0;
  std::vector<Matrix> inputs_;     // and behind them the output
  std::vector<Matrix> gradients_;  // of them all
  Matrix target_;
};

}  // namespace breakeven
