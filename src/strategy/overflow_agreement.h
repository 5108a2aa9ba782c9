// SPDX-License-Identifier: Apache-2.0
// Ranks that each make the update of a part of the model skip a step of fp16 together, or none does.
#pragma once

#include <vector>

#include "mpi/communicator.h"
#include "src/core/message.h"
#include "src/model/model_state.h"

namespace breakeven {

// After it every rank of the group knows whether one of them has overflowed: no update may come before. Only
// where the precision can overflow is anything exchanged, one float.
class OverflowAgreement {
 public:
  OverflowAgreement(Device& device, Communicator& group, Precision precision);
  bool is_needed() const { return is_needed_; }
  static std::size_t bytes_needed(Precision precision) {
    return info_of(precision).scales_loss ? sizeof(float) : 0;
  }
  static void add_messages(Precision precision, int ranks, std::vector<Message>& messages);
  void agree(StepState* state, Stream& stream);
  void agree(ModelState& state, Stream& stream);  // of the gradients that this rank updates by, too

 private:
  Device& device_;
  Communicator& group_;
  bool is_needed_;
  Buffer value_;
};

}  // namespace breakeven
