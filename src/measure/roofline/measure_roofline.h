// SPDX-License-Identifier: Apache-2.0
// Measures a device's roofline with the operations that training uses.
#pragma once

#include <span>

#include "kernels/device.h"
#include "src/core/records/roofline.h"

namespace breakeven::measure {

// The bandwidth is the best of 20 copies by the processor itself (3 on the host), read and written, after one
// that does not count, as BabelStream measures it (Deakin et al., "GPU-STREAM v2.0", ISC 2016 workshops): a
// driver's copy can be slower than a kernel, and a phase of training is kernels. FLOP/s of the given
// precisions only. Takes a few tenths of a second on a GPU, and memory for two buffers of at most 1 GiB,
// which it releases.
Roofline measure_roofline(Device& device, std::span<const Precision> precisions);

}  // namespace breakeven::measure
