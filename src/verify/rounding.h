// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace breakeven::verify {

// How a serial definition rounds; by default as it is written. Nothing but rounding differs otherwise.
struct Rounding {
  std::uint32_t pieces = 1;  // parts in which every rank's gradient is made: the same sums in another order
  std::uint32_t nudge = 0;   // names a draw by which every weight begins one float lower, equal or one
                             // higher; 0: none
};

}  // namespace breakeven::verify
