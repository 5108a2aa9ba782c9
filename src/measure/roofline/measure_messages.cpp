// SPDX-License-Identifier: Apache-2.0
#include "src/measure/roofline/measure_messages.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/terminate.h"

namespace breakeven::measure {
namespace {

std::set<int> group_sizes(const Case& what) {
  std::set<int> sizes{what.gpus};
  for (int rank = 0; rank < what.gpus; ++rank) {
    for (const Message& message : messages_of_case(what, rank).value_or(std::vector<Message>{}))
      sizes.insert(message.ranks);
  }
  std::erase_if(sizes, [](int ranks) { return ranks < smallest_group; });
  return sizes;
}

void measure_group(const ProbedGroup& group, RunContext& context, MessageTimes& times) {
  Communicator* const communicator = communicator_of(group, context);
  if (communicator == nullptr) return;
  CollectiveProbe probe(context.device(), *communicator, context.group(group.ranks), group.in_graph);
  const std::size_t transport = *place_of(group.transport);
  if (group.ranks == group.connected) {
    const double mine = context.connect_seconds(group.transport, group.ranks);
    times.connect_seconds[times.place_of(transport, group.ranks)] =
        longest_of(context.group(group.ranks), mine);
  }
  for (std::size_t place = 0; place < probed_kinds; ++place) {
    const auto kind = static_cast<Collective>(place);
    if (kind == Collective::send && group.ranks != 2) continue;  // a pair of ranks, the same in every group
    if (!probe.is_possible(kind)) continue;
    const auto seconds = probe.seconds_of_all_sizes(kind, largest_message(context.device().info()));
    std::ranges::copy(seconds, times.of(transport, group.ranks, kind).begin());
  }
  communicator->check();
}

}  // namespace

std::vector<ProbedGroup> probed_groups(const std::vector<Case>& cases) {
  std::map<std::pair<Transport, int>, ProbedGroup> groups;
  std::map<Transport, bool> in_graph;
  for (const Case& what : cases) {
    if (what.transport == Transport::none) continue;
    const Transport transport = what.transport.value();
    in_graph[transport] |= what.graph;
    for (const int ranks : group_sizes(what)) {
      const ProbedGroup group{transport, ranks, what.gpus, false};
      const auto [known, is_new] = groups.try_emplace({transport, ranks}, group);
      known->second.connected = std::min(known->second.connected, what.gpus);
    }
  }
  std::vector<ProbedGroup> list;
  for (auto& [key, group] : groups) {
    group.in_graph = in_graph[group.transport];
    list.push_back(group);
  }
  return list;
}

std::uint64_t largest_message(const DeviceInfo& info) {
  constexpr std::uint64_t MiB = 1u << 20;
  if (info.is_host()) return 4 * MiB;
  return std::min<std::uint64_t>(256 * MiB, info.memory_bytes / 16);
}

Communicator* communicator_of(const ProbedGroup& group, RunContext& context) {
  const int rank = context.session().rank();
  if (rank >= group.connected) return nullptr;
  Communicator* const whole = context.communicator(group.transport, group.connected);
  if (group.ranks == group.connected) return whole;
  const bool is_in_it = rank < group.ranks;
  Communicator& part = whole->part(fmt::format("the first {}", group.ranks), is_in_it ? 0 : 1);
  return is_in_it ? &part : nullptr;
}

MessageTimes measure_messages(const std::vector<ProbedGroup>& groups, RunContext& context) {
  MessageTimes times(context.session().size());
  for (const ProbedGroup& group : groups) {
    report_activity_as(
        fmt::format("measuring communication of {} ranks over {}", group.ranks, name_of(group.transport)));
    measure_group(group, context, times);
    context.session().sleepy_barrier();  // ranks outside the group wait here
  }
  return times;
}

}  // namespace breakeven::measure
