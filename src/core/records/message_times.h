// SPDX-License-Identifier: Apache-2.0
// Measured times of communication calls on a machine, by transport, number of ranks, kind and size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "src/core/message.h"
#include "src/core/records/run_record.h"
#include "src/core/transport.h"

namespace breakeven {

// The transports that a launch times, as the file lists them: all but Transport::none.
inline constexpr std::span probed_transports = std::span(words_of<Transport>).subspan(1);
inline constexpr int smallest_group = 2;  // a single rank does not communicate

// Its place in probed_transports; nothing for Transport::none.
constexpr std::optional<std::size_t> place_of(Transport transport) {
  if (transport == Transport::none) return std::nullopt;
  return static_cast<std::size_t>(transport) - 1;
}
constexpr Transport transport_at(std::size_t place) { return static_cast<Transport>(place + 1); }

struct MessageTimes {
  // For groups of up to `largest` ranks. All times are not_measured.
  explicit MessageTimes(int largest = smallest_group)
      : largest_group(std::max(largest, smallest_group)),
        seconds(probed_transports.size() * groups() * probed_kinds * message_sizes, not_measured),
        connect_seconds(probed_transports.size() * groups(), not_measured) {}

  std::size_t groups() const { return static_cast<std::size_t>(largest_group - smallest_group + 1); }

  // The times of all sizes. `transport` is a place of probed_transports, `ranks` from smallest_group to
  // largest_group.
  std::span<double> of(std::size_t transport, int ranks, Collective kind) {
    return std::span(seconds).subspan(first(transport, ranks, kind), message_sizes);
  }
  std::span<const double> of(std::size_t transport, int ranks, Collective kind) const {
    return std::span(seconds).subspan(first(transport, ranks, kind), message_sizes);
  }
  std::size_t place_of(std::size_t transport, int ranks) const {
    return transport * groups() + static_cast<std::size_t>(ranks - smallest_group);
  }
  std::size_t first(std::size_t transport, int ranks, Collective kind) const {
    const auto place = static_cast<std::size_t>(probed_as(kind));
    return (place_of(transport, ranks) * probed_kinds + place) * message_sizes;
  }

  int largest_group;
  std::vector<double> seconds;          // [transport][group][kind][size], of one call
  std::vector<double> connect_seconds;  // [transport][group], once a launch
};

}  // namespace breakeven
