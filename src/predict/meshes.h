// SPDX-License-Identifier: Apache-2.0
// The meshes that a measured strategy can have on another number of GPUs.
#pragma once

#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/core/message.h"

namespace breakeven::predict {

// Strategies with their options. A strategy that divides the rows stays as it was measured. A pipeline also
// with 1, 2, 4 and 8 micro-batches a stage; a hybrid in all meshes that split the model in the same
// direction; tensor and pipeline also as hybrids of groups that each split the model like this. A mesh of one
// group is the strategy that splits the model, under its own name. May include forms that the strategy
// refuses.
std::vector<std::string> forms_on(const std::string& strategy, int gpus);

// A message, and the distance of its ranks: a hybrid exchanges its gradient among the ranks with the same
// part of the model, whose distance is the number of parts.
struct PlacedMessage {
  Message message;
  int stride = 1;
};
std::vector<PlacedMessage> placed_in_mesh(const std::vector<Message>& messages, const Case& what);

}  // namespace breakeven::predict
