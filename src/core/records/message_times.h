// SPDX-License-Identifier: Apache-2.0
// What calls of the exchange take on a machine, by transport, ranks, kind and size.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "src/core/message.h"
#include "src/core/records/run_record.h"

namespace breakeven {

inline constexpr std::array<std::string_view, 2> transports{"mpi", "nccl"};
inline constexpr int smallest_group = 2;  // a rank alone exchanges nothing

// Its place among the transports; their number where it is none.
inline std::size_t transport_place(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(transports, name) - transports.begin());
}

struct MessageTimes {
  // For groups of up to `largest` ranks; not measured.
  explicit MessageTimes(int largest = smallest_group)
      : largest_group(std::max(largest, smallest_group)),
        seconds(transports.size() * groups() * probed_kinds * message_sizes, not_measured),
        connect_seconds(transports.size() * groups(), not_measured) {}

  std::size_t groups() const { return static_cast<std::size_t>(largest_group - smallest_group + 1); }

  // Size by size; `transport` is a place of `transports`, `ranks` from smallest_group to largest_group.
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
