// SPDX-License-Identifier: Apache-2.0
// What strategies that split the model share: a part's parameters in the whole model, and a step's overflow.
#pragma once

#include <span>
#include <vector>

#include "mpi/communicator.h"
#include "mpi/message.h"
#include "src/model/replica.h"

namespace breakeven {

// A layer's parameters from the replica's to their place in the whole model's.
void place_weight(Device& device, Replica& replica, const ParameterLayout& whole_layout, std::size_t layer,
                  std::span<float> whole, Stream& stream);
void place_bias(Device& device, Replica& replica, const ParameterLayout& whole_layout, std::size_t layer,
                std::span<float> whole, Stream& stream);

// After it every rank of the group knows whether one of them has overflowed: no update may come before. Only
// where the precision can overflow is anything exchanged.
class OverflowAgreement {
 public:
  OverflowAgreement(Device& device, Communicator& group, Precision precision);
  bool is_needed() const { return is_needed_; }
  static std::size_t bytes_needed(Precision precision) {
    return precision == Precision::fp16 ? sizeof(float) : 0;
  }
  static void add_messages(Precision precision, int ranks, std::vector<Message>& messages);
  void agree(StepState* state, Stream& stream);
  void agree(Replica& replica, Stream& stream);  // of gradients too, where they are in memory

 private:
  Device& device_;
  Communicator& group_;
  bool is_needed_;
  Buffer value_;
};

}  // namespace breakeven
