// SPDX-License-Identifier: Apache-2.0
// Epilogues on the host: the device's separate passes on floats, then one rounding to C.
#pragma once

#include "kernels/device.h"

namespace breakeven {

// `sums` are fp32 and have C's size. They are overwritten, and may be C itself.
void apply_epilogue(const Product& product, const Matrix& sums, Device& device, Stream& stream);

}  // namespace breakeven
