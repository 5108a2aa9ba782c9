// SPDX-License-Identifier: Apache-2.0
// How many words the signs of a row take.
#pragma once

#include <cstdint>

#include "src/core/host_device.h"

namespace breakeven {

// Words of signs in a row.
HOST_DEVICE std::int64_t sign_words(std::int64_t cols) { return (cols + 31) / 32; }

}  // namespace breakeven
