// SPDX-License-Identifier: Apache-2.0
// Allocates places in shared memory, one after another.
#pragma once

namespace breakeven {

class Places {
 public:
  int take(int floats) {
    const int at = next_;
    next_ += floats;
    return at;
  }
  int taken() const { return next_; }

 private:
  int next_ = 0;
};

}  // namespace breakeven
