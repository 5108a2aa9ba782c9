// SPDX-License-Identifier: Apache-2.0
// What becomes of a product's sums on the host: the device's own passes on floats, then one rounding to C.
#pragma once

#include "kernels/device.h"

namespace breakeven {

// `sums` are fp32, of C's size, and may be C itself; they are changed.
void apply_epilogue(const Product& product, const Matrix& sums, Device& device, Stream& stream);

}  // namespace breakeven
