// SPDX-License-Identifier: Apache-2.0
// What a batch leaves in the network: the input of every layer, the gradients on the way back, and the
// target.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/device.h"
#include "src/model/replica_settings.h"

namespace breakeven {

class Activations {
 public:
  static std::size_t bytes_needed(const ReplicaSettings& settings);

  Activations(Device& device, const ReplicaSettings& settings);

  // [rows, in] of layer `layer`; layer 0's is the batch. In the precision's element.
  Matrix input(std::size_t layer) const { return inputs_[layer]; }
  // [rows, out], in fp32, of a network that does not take the loss at once: what it predicts.
  Matrix output() const { return inputs_.back(); }
  // [rows, out]: the loss's gradient by the layer's output, before ReLU where it has one. In the precision's
  // element.
  Matrix gradient(std::size_t layer) const { return gradients_[layer]; }
  Matrix target() const { return target_; }  // [rows, out] values, or [rows, 1] class numbers; fp32

 private:
  Buffer memory_;
  std::vector<Matrix> inputs_;  // and behind them the output
  std::vector<Matrix> gradients_;
  Matrix target_;
};

}  // namespace breakeven
