// SPDX-License-Identifier: Apache-2.0
// What calls of the exchange take on a machine, by transport, ranks, kind and size.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "mpi/collective_probe.h"
#include "src/record/run_record.h"

namespace breakeven {

inline constexpr std::array<std::string_view, 2> transports{"mpi", "nccl"};
inline constexpr int smallest_group = 2;  // a rank alone exchanges nothing

struct MessageTimes {
  // For groups of up to `largest` ranks; not measured.
  explicit MessageTimes(int largest = smallest_group)
      : largest_group(std::max(largest, smallest_group)),
        seconds(transports.size() * groups() * probed_kinds * message_sizes, not_measured) {}

  std::size_t groups() const { return static_cast<std::size_t>(largest_group - smallest_group + 1); }

  // Size by size; `transport` is a place of `transports`, `ranks` from smallest_group to largest_group.
  std::span<double> of(std::size_t transport, int ranks, Collective kind) {
    return std::span(seconds).subspan(first(transport, ranks, kind), message_sizes);
  }
  std::span<const double> of(std::size_t transport, int ranks, Collective kind) const {
    return std::span(seconds).subspan(first(transport, ranks, kind), message_sizes);
  }
  std::size_t first(std::size_t transport, int ranks, Collective kind) const {
    const auto group = static_cast<std::size_t>(ranks - smallest_group);
    const auto place = static_cast<std::size_t>(probed_as(kind));
    return ((transport * groups() + group) * probed_kinds + place) * message_sizes;
  }

  int largest_group;
  std::vector<double> seconds;  // [transport][group][kind][size], of one call
};

}  // namespace breakeven
