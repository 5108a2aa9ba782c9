// SPDX-License-Identifier: Apache-2.0
// The time of a case's exchange over one transport of a machine, and the error of its formula: where it was
// fitted, and on twice as many ranks as it was fitted to.
#pragma once

#include <array>
#include <string>

#include "src/predict/extrapolate.h"
#include "src/predict/interconnect.h"
#include "src/predict/step_terms.h"

namespace breakeven::predict {

// Errors of the formula for calls of one kind, in the logarithm of the seconds.
struct CallCheck {
  double median_error = not_measured;   // of all measured calls, with the formula fitted to them
  double highest_error = not_measured;  // the same
  // 95 % of calls on twice as many ranks should be within this: from the calls on the most ranks, with the
  // formula fitted to those on fewer. If only one group size was measured, assumed_error.
  double error_a_doubling = assumed_error;
  bool is_assumed = true;

  static constexpr double assumed_error = 0.1823;  // the logarithm of 1.2
};

using CallChecks = std::array<CallCheck, probed_kinds>;  // by kind, as probed
CallChecks check_calls(const MessageTimes& times, Transport transport, int most_ranks);

struct TransportModel {
  Interconnect interconnect;
  CallChecks checks;
};

// Both must outlive the result.
ExchangeClock clock_of(const Interconnect& interconnect, const Case& what);

// The errors of its first rank's calls, each by its share of their seconds.
ExchangeWarning warning_of(const TransportModel& transport, const Case& what);

// "all-reduce by ring": the form of the calls that take most of a step; "" without calls.
std::string form_of_longest_call(const TransportModel& transport, const Case& what);

}  // namespace breakeven::predict
