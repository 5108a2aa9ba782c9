// SPDX-License-Identifier: Apache-2.0
// NVML's clock event reasons in words.
#pragma once

#include <string>

namespace breakeven::report {

// "power cap, thermal slowdown"; "none" for 0 and "–" for NaN. Unknown bits are printed as a number.
std::string throttle_words(double mask);

// Whether the power limit did.
bool is_power_capped(double mask);

// Whether a reason lowered the clock: any but idle and clock settings.
bool is_throttled(double mask);

}  // namespace breakeven::report
