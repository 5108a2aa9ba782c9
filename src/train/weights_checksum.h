// SPDX-License-Identifier: Apache-2.0
// A checksum of the weights that a rank trains with.
#pragma once

#include "kernels/device.h"
#include "src/train/training.h"

namespace breakeven::train {

// Of the parameters that the rank holds, and of the weights and biases that its products read: replicas have
// equal ones. A whole number below 2^53. NaN if parameters are sharded, since the rank then holds no layer
// for long. Waits for the stream; copies a layer at a time to the host.
double weights_checksum(Training& training, Device& device);

}  // namespace breakeven::train
