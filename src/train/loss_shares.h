// SPDX-License-Identifier: Apache-2.0
// The loss of the global batch, of which every rank has a share.
#pragma once

#include <cstdint>
#include <vector>

#include "src/train/training.h"

namespace breakeven {

// Of `count` steps from `first` on, which have been enqueued; added up over the ranks they are the batch's
// mean losses. Waits for the training's stream.
std::vector<float> loss_shares(Device& device, Training& training, std::uint32_t first, std::uint32_t count);

}  // namespace breakeven
