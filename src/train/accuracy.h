// SPDX-License-Identifier: Apache-2.0
// The accuracy of the trained network on test samples.
#pragma once

#include "kernels/device.h"
#include "src/data/dataset.h"
#include "src/train/training.h"

namespace breakeven::train {

// The share of test samples whose largest output is the right class, with dropout off. NaN if the data set
// has no test part or its targets are not classes.
double test_accuracy(const data::DatasetFile& file, Training& training, Device& device);

}  // namespace breakeven::train
