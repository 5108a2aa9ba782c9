// SPDX-License-Identifier: Apache-2.0
#include "src/predict/transport.h"

#include "src/core/strategy/case_strategy.h"
#include "src/predict/meshes.h"

namespace breakeven {
namespace {

struct TimedMessage {
  Collective kind;
  double seconds;  // of all its calls in a step
  std::string form;
};

// What the first rank exchanges; nothing where this program does not know the case's words.
std::vector<TimedMessage> timed_messages(const Network& network, const Case& what) {
  std::vector<TimedMessage> timed;
  for (const PlacedMessage& placed :
       placed_in_mesh(messages_of_case(what, 0).value_or(std::vector<Message>{}), what)) {
    const Network::Call call = network.call(placed.message, placed.stride);
    timed.push_back({placed.message.kind, placed.message.calls_a_step() * call.time.seconds(), call.form});
  }
  return timed;
}

}  // namespace

ExchangeClock clock_of(const Network& network, const Case& what) {
  return [&network, &what](const std::vector<Message>& messages) {
    analysis::ExchangeTime sum;
    for (const PlacedMessage& placed : placed_in_mesh(messages, what))
      sum = sum + placed.message.calls_a_step() * network.call(placed.message, placed.stride).time;
    return sum;
  };
}

ExchangeWarning warning_of(const TransportModel& transport, const Case& what) {
  ExchangeWarning warning{.known_ranks = transport.network.costs().largest_group};
  double seconds = 0;
  for (const TimedMessage& one : timed_messages(transport.network, what)) {
    const auto kind = static_cast<std::size_t>(probed_as(one.kind));
    warning.error_a_doubling += one.seconds * transport.checks[kind].error_a_doubling;
    seconds += one.seconds;
  }
  if (seconds > 0) warning.error_a_doubling /= seconds;
  return warning;
}

std::string form_of_longest_call(const TransportModel& transport, const Case& what) {
  double longest = 0;
  std::string form;
  for (const TimedMessage& one : timed_messages(transport.network, what)) {
    if (!(one.seconds > longest)) continue;
    longest = one.seconds;
    form = std::string(name_of(one.kind)) + " by " + one.form;
  }
  return form;
}

}  // namespace breakeven
