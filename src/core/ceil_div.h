// SPDX-License-Identifier: Apache-2.0
// How many pieces of a size there are, the last of which may be smaller.
#pragma once

namespace breakeven {

template <typename Size, typename Piece>
constexpr auto ceil_div(Size size, Piece by) {
  return (size + by - 1) / by;
}

}  // namespace breakeven
