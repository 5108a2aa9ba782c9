// SPDX-License-Identifier: Apache-2.0
// Places one after another in shared memory.
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
