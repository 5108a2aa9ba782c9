// SPDX-License-Identifier: Apache-2.0
#include "src/predict/call_costs.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "src/analysis/exchange_time.h"
#include "src/core/text/lists.h"
#include "src/predict/collective_forms.h"
#include "src/statistics/sample.h"

namespace breakeven::predict {
namespace {

constexpr std::array kinds{
    Collective::all_reduce, Collective::reduce,    Collective::broadcast, Collective::reduce_scatter,
    Collective::all_gather, Collective::one_sided, Collective::send};
static_assert(kinds.size() == probed_kinds);

std::size_t index_of(Collective kind) { return static_cast<std::size_t>(probed_as(kind)); }

// The time of a call with hardly any bytes: the median over sizes that take equally long, since the first
// measured one may include warm-up. NaN if none was measured.
double small_call_seconds(std::span<const double> seconds_by_size) {
  constexpr std::size_t small_sizes = 5;  // to 1 KiB
  std::vector<double> small(seconds_by_size.begin(), seconds_by_size.begin() + small_sizes);
  std::erase_if(small, [](double seconds) { return !(seconds > 0); });
  return statistics::median(small);
}

struct TimedCall {
  double hops;
  double seconds;
};

// Without sends, which are timed as half of a round trip, and one-sided calls, which NCCL does not make.
std::vector<TimedCall> smallest_calls(const MessageTimes& times, std::size_t transport, int most_ranks) {
  std::vector<TimedCall> calls;
  for (int ranks = smallest_group; ranks <= most_ranks; ++ranks) {
    for (const Collective kind : kinds) {
      if (kind == Collective::one_sided || kind == Collective::send) continue;
      const double seconds = small_call_seconds(times.of(transport, ranks, kind));
      if (seconds > 0) calls.push_back({fewest_hops(kind, transport_at(transport), ranks), seconds});
    }
  }
  return calls;
}

// Alpha of seconds = start + hops x alpha, errors as shares of the seconds.
double fit_hop(const std::vector<TimedCall>& calls) {
  double n = 0, x = 0, xx = 0, y = 0, xy = 0;
  for (const TimedCall& call : calls) {
    const double weight = 1 / (call.seconds * call.seconds);
    n += weight;
    x += weight * call.hops;
    xx += weight * call.hops * call.hops;
    y += weight * call.seconds;
    xy += weight * call.hops * call.seconds;
  }
  const double determinant = n * xx - x * x;
  if (determinant > 1e-9 * n * xx) {
    const double hop = (n * xy - x * y) / determinant;
    if (hop > 0 && y >= hop * x) return hop;
  }
  return xx > 0 ? xy / xx : not_measured;
}

CallCosts::SmallCall split(double seconds, double hops, double most_a_hop) {
  if (seconds < hops * most_a_hop) return {0, seconds / hops};
  return {seconds - hops * most_a_hop, most_a_hop};
}

// The time of a call less that of a small one of its kind, by size; NaN where not measured.
std::array<double, message_sizes> beyond_small(std::span<const double> seconds_by_size) {
  std::array<double, message_sizes> beyond;
  const double small = small_call_seconds(seconds_by_size);
  for (std::size_t size = 0; size < message_sizes; ++size)
    beyond[size] =
        seconds_by_size[size] > 0 && small > 0 ? std::max(0.0, seconds_by_size[size] - small) : not_measured;
  return beyond;
}

void fit_group(const MessageTimes& times, std::size_t transport, int ranks, double hop_seconds,
               CallCosts& costs) {
  // Kinds that were not measured on these ranks are as in the group before.
  CallCosts::Group& group =
      costs.by_group
          .emplace(ranks, costs.by_group.empty() ? CallCosts::Group() : costs.by_group.rbegin()->second)
          .first->second;
  const auto of_send = beyond_small(times.of(transport, smallest_group, Collective::send));
  for (const Collective kind : kinds) {
    const auto seconds = times.of(transport, ranks, kind);
    const double small = small_call_seconds(seconds),
                 hops = fewest_hops(kind, transport_at(transport), ranks);
    // One-sided calls are MPI's, whatever the transport, and have no start.
    const double most_a_hop = kind == Collective::one_sided ? small : hop_seconds;
    if (small > 0) group.small[index_of(kind)] = split(small, hops, most_a_hop);
    const auto beyond = beyond_small(seconds);
    const CollectiveForm& form = form_of_least_volume(kind, transport_at(transport), ranks);
    const double volume = form.terms.volume(ranks), own = form.terms.own(ranks);
    if (beyond[0] >= 0 && own > 0) group.own[index_of(kind)].fill(not_measured);
    for (std::size_t size = 0; size < message_sizes && beyond[size] >= 0; ++size) {
      const double if_all_on_link = beyond[size] / volume;
      const bool is_split = own > 0 && of_send[size] < if_all_on_link;
      const double on_link = is_split ? of_send[size] : if_all_on_link;
      group.on_link[index_of(kind)][size] = on_link;
      group.own[index_of(kind)][size] = is_split ? (beyond[size] - volume * on_link) / own : 0;
    }
  }
}

// time_of_call separates the time of the smallest message from its curve, so one is added here.
double on_curve(std::uint64_t bytes, std::array<double, message_sizes> curve) {
  constexpr double any = 1e-6;
  for (double& seconds : curve) seconds += any;
  return analysis::time_of_call(bytes, curve).bandwidth;
}

}  // namespace

CallCosts::Group::Group() {
  for (auto& of_kind : on_link) of_kind.fill(not_measured);
  for (auto& of_kind : own) of_kind.fill(0);
}

const CallCosts::Group& CallCosts::group_of(double ranks) const {
  const auto above = by_group.upper_bound(static_cast<int>(ranks));
  return above == by_group.begin() ? above->second : std::prev(above)->second;
}

double CallCosts::seconds_of_bytes(Collective kind, std::uint64_t bytes, double ranks) const {
  if (by_group.empty()) return not_measured;
  const auto on = [&](const Group& group) { return on_curve(bytes, group.on_link[index_of(kind)]); };
  const auto& [smallest, of_smallest] = *by_group.begin();
  const auto& [largest, of_largest] = *by_group.rbegin();
  const bool is_chain = kind == Collective::broadcast || kind == Collective::reduce;
  if (!is_chain || ranks <= largest || smallest == largest) return on(group_of(ranks));
  const double of_a_rank = std::max(0.0, on(of_largest) - on(of_smallest)) / (largest - smallest);
  return on(of_largest) + (ranks - largest) * of_a_rank;
}

double CallCosts::seconds_of_own_bytes(Collective kind, std::uint64_t bytes, double ranks) const {
  return by_group.empty() ? 0 : on_curve(bytes, group_of(ranks).own[index_of(kind)]);
}

CallCosts::SmallCall CallCosts::small_call(Collective kind, double ranks) const {
  return by_group.empty() ? SmallCall() : group_of(ranks).small[index_of(kind)];
}

bool CallCosts::is_measured(Collective kind) const {
  return !by_group.empty() && by_group.rbegin()->second.on_link[index_of(kind)][0] >= 0;
}

std::optional<CallCosts> fit_calls(const MessageTimes& times, Transport transport, int most_ranks) {
  const std::optional<std::size_t> of_transport = place_of(transport);
  if (!of_transport) return std::nullopt;
  const std::size_t place = *of_transport;
  const int most = std::min(most_ranks, times.largest_group);
  const std::vector<TimedCall> calls = smallest_calls(times, place, most);
  if (calls.empty()) return std::nullopt;
  const double hop_seconds = fit_hop(calls);
  CallCosts costs;
  std::vector<std::string> groups;
  for (int ranks = smallest_group; ranks <= most; ++ranks) {
    if (!(times.of(place, ranks, Collective::all_reduce)[0] > 0)) continue;
    fit_group(times, place, ranks, hop_seconds, costs);
    costs.largest_group = ranks;
    groups.push_back(fmt::format("{}", ranks));
  }
  costs.source = fmt::format("calls measured on {} ranks", join_list(groups));
  return costs;
}

std::optional<CallCosts> calls_over_links(const Topology& topology, int most_ranks) {
  const std::size_t ranks = topology.ranks.size();
  const std::size_t asked = std::min(ranks, static_cast<std::size_t>(most_ranks));
  std::vector<double> latency, bandwidth;
  for (std::size_t from = 0; from < asked; ++from) {
    for (std::size_t to = 0; to < asked; ++to) {
      const Link& link = topology.links[from * ranks + to];
      if (from == to || !(link.latency_seconds > 0 && link.bytes_per_second > 0)) continue;
      latency.push_back(link.latency_seconds);
      bandwidth.push_back(link.bytes_per_second);
    }
  }
  if (latency.empty()) return std::nullopt;
  CallCosts costs;
  CallCosts::Group& group = costs.by_group[smallest_group];
  for (const Collective kind : kinds) {
    // One-sided calls go through host memory.
    group.small[index_of(kind)] = {0,
                                   kind == Collective::one_sided ? not_measured : statistics::mean(latency)};
    for (std::size_t size = 0; size < message_sizes; ++size)
      group.on_link[index_of(kind)][size] =
          static_cast<double>(message_size(size)) / statistics::mean(bandwidth);
  }
  costs.largest_group = smallest_group;
  costs.source = "the links between the ranks, since no call was measured";
  return costs;
}

}  // namespace breakeven::predict
