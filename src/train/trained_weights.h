// SPDX-License-Identifier: Apache-2.0
// What can be said of trained weights: their accuracy on test samples, and a checksum.
#pragma once

#include "kernels/device.h"
#include "src/data/dataset.h"
#include "src/train/training.h"

namespace breakeven::train {

// The share of test samples whose largest output is the right class, with dropout off. NaN if the data set
// has no test part or its targets are not classes.
double test_accuracy(const data::DatasetFile& file, Training& training, Device& device);

// Over the parameters that the rank holds, and the weights and biases that its products read: replicas have
// equal ones. A whole number below 2^53. NaN if parameters are sharded, since the rank then holds no layer
// for long. Waits for the stream; copies a layer at a time to the host.
double weights_checksum(Training& training, Device& device);

}  // namespace breakeven::train
