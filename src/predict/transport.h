// SPDX-License-Identifier: Apache-2.0
// What the exchange of a case takes over one transport of a machine, and how far that can be trusted.
#pragma once

#include <string>

#include "src/predict/call_check.h"
#include "src/predict/extrapolate.h"
#include "src/predict/network.h"
#include "src/predict/step_terms.h"

namespace breakeven {

struct TransportModel {
  Network network;
  CallChecks checks;
};

// Both must outlive what is returned.
ExchangeClock clock_of(const Network& network, const Case& what);

// The errors of its first rank's calls, each by its share of their seconds.
ExchangeWarning warning_of(const TransportModel& transport, const Case& what);

// "all-reduce by ring": what the calls that last longest in a step are made of; "" without any.
std::string form_of_longest_call(const TransportModel& transport, const Case& what);

}  // namespace breakeven
