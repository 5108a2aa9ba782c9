// SPDX-License-Identifier: Apache-2.0
// How long messages take on a machine, from its launch's measurement of single calls.
//
// Assumed: a step's messages go one after another, nothing else is on the links, all ranks are ready when a
// message begins, and a call takes as long in training as in a loop of equal calls. What training takes
// beyond that is waiting, congestion, and whatever a strategy does between its messages.
#pragma once

#include <span>

#include "src/core/level.h"
#include "src/core/message.h"
#include "src/core/records/message_times.h"

namespace breakeven::analysis {

// Seconds in the two parts of Hockney's model (R. Hockney, "The communication challenge for MPP: Intel
// Paragon and Meiko CS-2", Parallel Computing 20(3), 1994): what a call takes without bytes, and what its
// bytes take. NaN where not measured.
struct ExchangeTime {
  double latency = 0;
  double bandwidth = 0;
  double seconds() const { return latency + bandwidth; }
};
inline ExchangeTime operator+(const ExchangeTime& a, const ExchangeTime& b) {
  return {a.latency + b.latency, a.bandwidth + b.bandwidth};
}
inline ExchangeTime operator*(double factor, const ExchangeTime& time) {
  return {factor * time.latency, factor * time.bandwidth};
}

// One call, from the seconds of each message_size() (NaN from some size on). Between two sizes the logarithm
// of the seconds is linear in that of the bytes; beyond the largest one measured the seconds grow as they do
// between the last two, and are unknown where the last takes less than twice the time of the smallest, which
// is the latency.
ExchangeTime time_of_call(std::uint64_t bytes, std::span<const double> seconds_by_size);

// All calls of a step, on average over many steps. A group of one rank takes no time.
ExchangeTime time_of_messages(std::span<const Message> messages, const Level<Transport>& transport,
                              const MessageTimes& times);

}  // namespace breakeven::analysis
