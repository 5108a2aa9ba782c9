// SPDX-License-Identifier: Apache-2.0
// The host's clock, which never goes back.
#pragma once

#include <chrono>

namespace breakeven {

inline double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace breakeven
