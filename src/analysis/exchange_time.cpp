// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/exchange_time.h"

#include <algorithm>
#include <cmath>

namespace breakeven::analysis {
namespace {

constexpr ExchangeTime unknown{not_measured, not_measured};

double size_at(std::size_t place) { return static_cast<double>(message_size(place)); }

// How many sizes were measured, from the smallest on.
std::size_t measured_sizes(std::span<const double> seconds) {
  const auto first_unknown = std::ranges::find_if(seconds, [](double one) { return !(one > 0); });
  return static_cast<std::size_t>(first_unknown - seconds.begin());
}

double seconds_between(double bytes, std::size_t below, std::span<const double> seconds) {
  const double share = std::log(bytes / size_at(below)) / std::log(size_at(below + 1) / size_at(below));
  return seconds[below] * std::pow(seconds[below + 1] / seconds[below], share);
}

// Unknown where the largest measured call was mostly latency, which says nothing about more bytes.
double seconds_beyond(double bytes, std::size_t last, std::span<const double> seconds) {
  if (!(seconds[last] >= 2 * seconds[0])) return not_measured;
  const double grown = seconds[last] - seconds[last - 1];
  // Where noise makes the larger one the shorter, the time is all bandwidth.
  const double a_byte =
      grown > 0 ? grown / (size_at(last) - size_at(last - 1)) : seconds[last] / size_at(last);
  return seconds[last] + (bytes - size_at(last)) * a_byte;
}

}  // namespace

ExchangeTime time_of_call(std::uint64_t bytes, std::span<const double> seconds_by_size) {
  const std::size_t count = measured_sizes(seconds_by_size);
  if (count == 0) return unknown;
  const auto size = static_cast<double>(bytes);
  std::size_t below = 0;
  while (below + 1 < count && size_at(below + 1) <= size) ++below;
  double seconds = seconds_by_size[below];
  if (size > size_at(below)) {
    seconds = below + 1 < count ? seconds_between(size, below, seconds_by_size)
                                : seconds_beyond(size, below, seconds_by_size);
  }
  if (std::isnan(seconds)) return unknown;
  const double latency = std::min(seconds, seconds_by_size[0]);
  return {latency, seconds - latency};
}

ExchangeTime time_of_messages(std::span<const Message> messages, const Level<Transport>& transport,
                              const MessageTimes& times) {
  const auto place = place_of(transport.known().value_or(Transport::none));
  ExchangeTime sum;
  for (const Message& message : messages) {
    if (message.ranks < smallest_group) continue;
    if (!place || message.ranks > times.largest_group) return unknown;
    const auto seconds = times.of(*place, message.ranks, message.kind);
    sum = sum + message.calls_a_step() * time_of_call(message.bytes, seconds);
  }
  return sum;
}

}  // namespace breakeven::analysis
