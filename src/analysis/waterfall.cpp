// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/waterfall.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace breakeven::analysis {
namespace {

constexpr std::string_view step_counter = "advance_step_kernel";

using Places = std::vector<std::size_t>;

std::string contents(const std::vector<NodeRecord>& nodes, std::span<const std::size_t> places) {
  std::vector<std::string> names;
  for (const std::size_t place : places) {
    const NodeRecord& node = nodes[place];
    names.push_back(fmt::format("{} {} {}x{}x{}", name_of(node.kind), node.name, node.grid[0], node.grid[1],
                                node.grid[2]));
  }
  std::ranges::sort(names);
  std::string joined;
  for (const std::string& name : names) joined += name + "\n";
  return joined;
}

// The graph's nodes by the call that replayed them, in the order in which they began.
std::vector<Places> by_launch_number(const std::vector<NodeRecord>& nodes) {
  std::vector<Places> launches;
  std::map<std::uint32_t, std::size_t> place_of;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].graph == 0) continue;
    const auto [found, is_new] = place_of.try_emplace(nodes[i].launch, launches.size());
    if (is_new) launches.emplace_back();
    launches[found->second].push_back(i);
  }
  return launches;
}

// A replay executes each node of the graph once.
std::vector<Places> by_repetition(const std::vector<NodeRecord>& nodes) {
  std::vector<Places> launches;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> replays;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].graph == 0) continue;
    const std::size_t launch = replays[{nodes[i].graph, nodes[i].graph_node}]++;
    launches.resize(std::max(launches.size(), launch + 1));
    launches[launch].push_back(i);
  }
  return launches;
}

// Nodes that are launched apart, such as copies of a streamed batch, belong to the launch during which they
// begin.
void add_nodes_apart(const std::vector<NodeRecord>& nodes, std::vector<Places>& launches) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].graph != 0) continue;
    const auto next = std::ranges::find_if(launches, [&](const Places& one) { return one.front() > i; });
    if (next == launches.begin()) continue;
    Places& launch = *std::prev(next);
    const bool is_last = next == launches.end();
    if (is_last &&
        std::ranges::all_of(launch, [&](std::size_t j) { return nodes[j].end_ns <= nodes[i].start_ns; }))
      continue;
    launch.insert(std::ranges::upper_bound(launch, i), i);
  }
}

// As many equal parts, or nothing where they are not equal.
std::vector<Places> in_equal_parts(const std::vector<NodeRecord>& nodes, const Places& places,
                                   std::size_t parts) {
  if (places.empty() || places.size() % parts != 0) return {};
  const std::size_t size = places.size() / parts;
  std::vector<Places> divided;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto begin = places.begin() + static_cast<std::ptrdiff_t>(part * size);
    divided.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    if (contents(nodes, divided.front()) != contents(nodes, divided.back())) return {};
  }
  return divided;
}

// Each launch divided into its steps, where they are alike.
std::vector<NodeGroup> groups_of(const std::vector<NodeRecord>& nodes, const std::vector<Places>& launches,
                                 std::uint32_t steps, std::uint32_t steps_a_launch) {
  std::vector<NodeGroup> groups;
  std::uint32_t first = 0;
  for (const Places& launch : launches) {
    const std::uint32_t made = std::min(steps_a_launch, steps - first);
    const std::vector<Places> parts = in_equal_parts(nodes, launch, made);
    if (parts.empty()) groups.push_back({first, made, launch});
    for (std::uint32_t i = 0; i < parts.size(); ++i) groups.push_back({first + i, 1, parts[i]});
    first += made;
  }
  return groups;
}

// Nodes that were enqueued one by one, in the order of the calls.
std::vector<Places> without_graph(const std::vector<NodeRecord>& nodes, std::size_t launches) {
  Places order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return nodes[i].launch; });
  std::vector<Places> counted(1);
  for (const std::size_t i : order) {
    counted.back().push_back(i);
    if (nodes[i].name.find(step_counter) != std::string::npos) counted.emplace_back();
  }
  counted.pop_back();
  if (counted.size() == launches) return counted;
  for (std::size_t size = order.size() / launches; size > 0; --size) {
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(size * launches);
    std::vector<Places> parts = in_equal_parts(nodes, {order.begin(), end}, launches);
    if (!parts.empty()) return parts;
  }
  return {};
}

std::int64_t begin_of(const NodeSteps& all, const NodeGroup& group) {
  return all.nodes[group.nodes.front()].start_ns;
}

std::int64_t end_of(const NodeSteps& all, const NodeGroup& group) {
  std::int64_t end = 0;
  for (const std::size_t node : group.nodes) end = std::max(end, all.nodes[node].end_ns);
  return end;
}

std::int64_t length_of(const NodeSteps& all, std::size_t group) {
  const bool is_last = group + 1 == all.groups.size();
  const std::int64_t end = is_last ? end_of(all, all.groups[group]) : begin_of(all, all.groups[group + 1]);
  return end - begin_of(all, all.groups[group]);
}

// Labels are "NAME PRODUCT PRECISION <TILE>".
std::string kind_of(const NodeRecord& node) {
  return node.label.substr(0, std::min(node.label.size(), node.label.find(" <")));
}

}  // namespace

NodeSteps assign_steps(std::vector<NodeRecord> nodes, std::uint32_t steps, std::uint32_t steps_a_launch) {
  NodeSteps all{std::move(nodes), {}, ""};
  std::ranges::stable_sort(all.nodes, {},
                           [](const NodeRecord& node) { return std::tuple(node.start_ns, node.end_ns); });
  if (all.nodes.empty()) {
    all.problem = "the profiler recorded no kernel";
    return all;
  }
  const std::size_t expected = (steps + steps_a_launch - 1) / steps_a_launch;
  std::vector<Places> launches = by_launch_number(all.nodes);
  const std::size_t recorded = launches.size();
  if (recorded > 0 && recorded != expected) launches = by_repetition(all.nodes);
  if (recorded == 0) launches = without_graph(all.nodes, expected);
  if (launches.size() != expected) {
    all.problem =
        recorded > 0
            ? fmt::format("the profiler recorded {} launches of a graph, but the run made {}", recorded,
                          expected)
            : fmt::format("the {} recorded nodes do not repeat in {} launches", all.nodes.size(), expected);
    return all;
  }
  if (recorded > 0) add_nodes_apart(all.nodes, launches);
  for (Places& launch : launches) std::ranges::sort(launch);
  all.groups = groups_of(all.nodes, launches, steps, steps_a_launch);
  return all;
}

std::string contents_of(const NodeSteps& all, const NodeGroup& group) {
  return contents(all.nodes, group.nodes);
}

Waterfall waterfall_of(const NodeSteps& all, std::size_t place) {
  const NodeGroup& group = all.groups[place];
  Waterfall fall{.group = place, .begin_ns = begin_of(all, group), .length_ns = length_of(all, place)};
  const std::int64_t length = fall.length_ns;
  std::int64_t busy = 0;  // until when the nodes so far are at work
  for (std::size_t before = 0; before < place; ++before)
    busy = std::max(busy, end_of(all, all.groups[before]) - fall.begin_ns);
  busy = std::min(busy, length);
  fall.overlap_ns = busy;
  for (const std::size_t node : group.nodes) {
    WaterfallRow row{.node = node,
                     .start_ns = all.nodes[node].start_ns - fall.begin_ns,
                     .end_ns = all.nodes[node].end_ns - fall.begin_ns};
    const std::int64_t start = std::min(row.start_ns, length), end = std::min(row.end_ns, length);
    row.gap_ns = std::max<std::int64_t>(0, start - busy);
    row.adds_ns = std::max<std::int64_t>(0, end - std::max(start, busy));
    busy = std::max({busy, start, end});
    fall.rows.push_back(row);
  }
  fall.idle_ns = length - busy;
  return fall;
}

std::optional<std::size_t> median_group(const NodeSteps& all) {
  if (all.groups.empty()) return std::nullopt;
  const std::size_t measured = std::max<std::size_t>(1, all.groups.size() - 1);
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < measured; ++i) alike[contents_of(all, all.groups[i])].push_back(i);
  auto& most = std::ranges::max_element(alike, {}, [](const auto& one) { return one.second.size(); })->second;
  const auto middle = most.begin() + static_cast<std::ptrdiff_t>((most.size() - 1) / 2);
  std::ranges::nth_element(most, middle, {}, [&](std::size_t i) { return length_of(all, i); });
  return *middle;
}

std::vector<NodeSum> sums_by_kind(const NodeSteps& all, const Waterfall& waterfall) {
  std::map<std::string, NodeSum> sums;
  for (const WaterfallRow& row : waterfall.rows) {
    const std::string kind = kind_of(all.nodes[row.node]);
    NodeSum& sum = sums[kind];
    sum.kind = kind;
    ++sum.count;
    sum.total_ns += row.end_ns - row.start_ns;
    sum.adds_ns += row.adds_ns;
  }
  std::vector<NodeSum> sorted;
  for (const auto& [kind, sum] : sums) sorted.push_back(sum);
  std::ranges::stable_sort(sorted, std::greater{}, &NodeSum::adds_ns);
  return sorted;
}

}  // namespace breakeven::analysis
