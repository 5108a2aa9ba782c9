// SPDX-License-Identifier: Apache-2.0
// What Linux tells of the processor that this process runs on.
#pragma once

#include "kernels/device.h"

namespace breakeven {

// Unknown facts stay at their defaults: nothing here fails.
DeviceInfo describe_processor();

}  // namespace breakeven
