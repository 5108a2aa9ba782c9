// SPDX-License-Identifier: Apache-2.0
// The cost model of one collective call, fitted to calls that were measured on few ranks, so that the forms
// of collective_forms.h give its time on more.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/records/message_times.h"
#include "src/core/records/topology.h"

namespace breakeven::predict {

struct CallCosts {
  // A call with hardly any bytes takes start + hops x hop.
  struct SmallCall {
    double start_seconds = not_measured;  // launch, and all ranks find each other
    double hop_seconds = not_measured;    // alpha: from one rank to the next
  };
  using BySize = std::array<std::array<double, message_sizes>, probed_kinds>;  // [kind][size]
  struct Group {
    std::array<SmallCall, probed_kinds> small;  // [kind]
    // Seconds of a size over a link, without start and hops: size / beta, with the beta that calls of this
    // kind reach at this size. NaN from the first unmeasured size on.
    BySize on_link;
    // Seconds of the bytes that a rank processes while its link is idle (CallTerms::own): size / gamma.
    BySize own;
    Group();
  };
  std::map<int, Group> by_group;  // by the ranks of each measured group
  int largest_group = 0;          // ranks of the largest measured group
  std::string source;             // "calls on 2 and 4 ranks", for people

  // Seconds of `bytes` over one link among `ranks` ranks, as in the largest measured group that is not
  // larger, since NCCL chooses protocol and channels by the number of ranks. A chain is extended by the
  // seconds that each rank added between the smallest and the largest group, in which its pipeline fills. NaN
  // where the kind was not measured.
  double seconds_of_bytes(Collective kind, std::uint64_t bytes, double ranks) const;
  double seconds_of_own_bytes(Collective kind, std::uint64_t bytes, double ranks) const;
  SmallCall small_call(Collective kind, double ranks) const;
  bool is_measured(Collective kind) const;

 private:
  const Group& group_of(double ranks) const;
};

// From the launch's calls on up to `most_ranks` ranks: start and alpha by least squares over the small calls
// (to 1 KiB) of all kinds and groups, with the form of the fewest hops (an all-reduce has two hops where the
// others have one, and groups of several sizes differ; if start and alpha cannot be separated, all is alpha).
// What a kind's own small calls in a group take beyond their hops is its start there; if they take less, all
// is its alpha. The bytes come from the additional time of each group's calls. If a form has bytes that a
// rank processes while its link is idle, the link's time is that of a send, if that is less, and the
// difference is the rank's own. Nothing if no call was measured.
std::optional<CallCosts> fit_calls(const MessageTimes& times, Transport transport, int most_ranks);

// From the links between the first `most_ranks` ranks, for files of launches that measured no calls: the mean
// latency and bandwidth of a message. Nothing if no link was measured either.
std::optional<CallCosts> calls_over_links(const Topology& topology, int most_ranks);

}  // namespace breakeven::predict
