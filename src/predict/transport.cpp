// SPDX-License-Identifier: Apache-2.0
#include "src/predict/transport.h"

#include <cmath>
#include <optional>

#include "src/core/strategy/case_strategy.h"
#include "src/predict/meshes.h"
#include "src/statistics/interval.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

struct TimedMessage {
  Collective kind;
  double seconds;  // of all its calls in a step
  std::string form;
};

// What the first rank exchanges; empty if this program does not know the case's strategy.
std::vector<TimedMessage> timed_messages(const Interconnect& interconnect, const Case& what) {
  std::vector<TimedMessage> timed;
  for (const PlacedMessage& placed :
       placed_in_mesh(messages_of_case(what, 0).value_or(std::vector<Message>{}), what)) {
    const Interconnect::Call call = interconnect.call(placed.message, placed.stride);
    timed.push_back({placed.message.kind, placed.message.calls_a_step() * call.time.seconds(), call.form});
  }
  return timed;
}

// The errors of calls of all sizes on `ranks` ranks.
std::vector<double> errors_on(int ranks, Collective kind, const MessageTimes& times, Transport transport,
                              const CallCosts& costs) {
  const Interconnect interconnect(machine_as_measured(), transport, costs);
  std::vector<double> errors;
  const auto measured = times.of(*place_of(transport), ranks, kind);
  for (std::size_t size = 0; size < message_sizes && measured[size] > 0; ++size) {
    const analysis::ExchangeTime time = interconnect.call({kind, message_size(size), ranks}).time;
    if (std::isfinite(time.seconds())) errors.push_back(std::abs(std::log(time.seconds() / measured[size])));
  }
  return errors;
}

// `fewer` is fitted to groups smaller than the largest of `costs`.
CallCheck check_of(Collective kind, const MessageTimes& times, Transport transport, const CallCosts& costs,
                   const std::optional<CallCosts>& fewer) {
  CallCheck check;
  std::vector<double> errors;
  for (int ranks = smallest_group; ranks <= costs.largest_group; ++ranks) {
    const std::vector<double> here = errors_on(ranks, kind, times, transport, costs);
    errors.insert(errors.end(), here.begin(), here.end());
  }
  check.median_error = statistics::median(errors);
  check.highest_error = statistics::highest(errors);
  if (!fewer) return check;
  const std::vector<double> further = errors_on(costs.largest_group, kind, times, transport, *fewer);
  if (further.size() < statistics::fewest_for_interval) return check;
  const double doublings = std::log2(double(costs.largest_group) / fewer->largest_group);
  check.error_a_doubling = statistics::error_half_width(further) / doublings;
  check.is_assumed = false;
  return check;
}

}  // namespace

CallChecks check_calls(const MessageTimes& times, Transport transport, int most_ranks) {
  CallChecks checks;
  const auto costs = fit_calls(times, transport, most_ranks);
  if (!costs) return checks;
  const auto fewer = fit_calls(times, transport, costs->largest_group - 1);
  for (std::size_t kind = 0; kind < probed_kinds; ++kind)
    checks[kind] = check_of(static_cast<Collective>(kind), times, transport, *costs, fewer);
  return checks;
}

ExchangeClock clock_of(const Interconnect& interconnect, const Case& what) {
  return [&interconnect, &what](const std::vector<Message>& messages) {
    analysis::ExchangeTime sum;
    for (const PlacedMessage& placed : placed_in_mesh(messages, what))
      sum = sum + placed.message.calls_a_step() * interconnect.call(placed.message, placed.stride).time;
    return sum;
  };
}

ExchangeWarning warning_of(const TransportModel& transport, const Case& what) {
  ExchangeWarning warning{.known_ranks = transport.interconnect.costs().largest_group};
  double seconds = 0;
  for (const TimedMessage& one : timed_messages(transport.interconnect, what)) {
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
  for (const TimedMessage& one : timed_messages(transport.interconnect, what)) {
    if (!(one.seconds > longest)) continue;
    longest = one.seconds;
    form = std::string(name_of(one.kind)) + " by " + one.form;
  }
  return form;
}

}  // namespace breakeven::predict
