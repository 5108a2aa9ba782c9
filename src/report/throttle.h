// SPDX-License-Identifier: Apache-2.0
// NVML's clock event reasons in words.
#pragma once

#include <string>

namespace breakeven {

// "power cap, thermal slowdown"; "none" for 0 and "–" where the mask is NaN. Bits that are not known are
// given as a number.
std::string throttle_words(double mask);

// A reason that made the clock lower than it could have been: any but idle and the settings of the clocks.
bool is_throttled(double mask);

}  // namespace breakeven
