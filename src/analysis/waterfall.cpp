// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/waterfall.h"

#include <algorithm>
#include <functional>
#include <map>

namespace breakeven::analysis {
namespace {

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
