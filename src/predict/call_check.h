// SPDX-License-Identifier: Apache-2.0
// How far the exchange's formula is off: where it was fitted, and on twice as many ranks as it was fitted to.
#pragma once

#include <array>
#include <string_view>

#include "src/predict/call_costs.h"

namespace breakeven {

// Of the calls of one kind, in the logarithm of the seconds.
struct CallCheck {
  double median_error = not_measured;   // of all measured calls, by the formula fitted to them
  double highest_error = not_measured;  // the same
  // 95 % of calls on twice as many ranks should be within this: from the calls on the most ranks, by the
  // formula fitted to those on fewer. Where one size of group was measured alone, assumed_error.
  double error_a_doubling = assumed_error;
  bool is_assumed = true;

  static constexpr double assumed_error = 0.1823;  // the logarithm of 1.2
};

using CallChecks = std::array<CallCheck, probed_kinds>;  // by kind, as probed
CallChecks check_calls(const MessageTimes& times, Transport transport, int most_ranks);

}  // namespace breakeven
