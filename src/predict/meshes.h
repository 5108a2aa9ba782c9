// SPDX-License-Identifier: Apache-2.0
// The forms that a measured strategy can have on another number of GPUs.
#pragma once

#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/core/message.h"

namespace breakeven {

// As strategies are written. A strategy that shares out the rows is as it was measured. A pipeline also with
// 1, 2, 4 and 8 micro-batches a stage; a hybrid in all meshes of its way of splitting the model; tensor and
// pipeline also as hybrids of groups that each split the model so. What a strategy refuses is among them.
std::vector<std::string> forms_on(const std::string& strategy, int gpus);

// A message, and how far its ranks stand apart: a hybrid's gradient is exchanged among the ranks with the
// same part of the model, which are as many apart as a model has parts.
struct PlacedMessage {
  Message message;
  int stride = 1;
};
std::vector<PlacedMessage> placed_in_mesh(const std::vector<Message>& messages, const Case& what);

}  // namespace breakeven
