// SPDX-License-Identifier: Apache-2.0
// How often the trained network names the right class on samples that it was not trained on.
#pragma once

#include "kernels/device.h"
#include "src/data/dataset.h"
#include "src/train/training.h"

namespace breakeven {

// Share of the data set's test part whose largest output is the right class, with dropout off. NaN where
// there is no test part or the targets are not classes.
double test_accuracy(const DatasetFile& file, Training& training, Device& device);

}  // namespace breakeven
