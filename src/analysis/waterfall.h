// SPDX-License-Identifier: Apache-2.0
// Where the time of a step goes on one GPU, node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/analysis/node_steps.h"

namespace breakeven::analysis {

// Times in nanoseconds since the step's first node began.
struct WaterfallRow {
  std::size_t node = 0;  // place in NodeSteps::nodes
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t gap_ns = 0;   // before it, with nothing at work
  std::int64_t adds_ns = 0;  // while no node that began earlier was at work
};

// A step is as long as from its first node to the next step's first node. The parts are all of it:
// length = overlap + the rows' gaps + what they add + idle.
struct Waterfall {
  std::size_t group = 0;  // place in NodeSteps::groups
  std::int64_t begin_ns = 0;
  std::int64_t length_ns = 0;
  std::int64_t overlap_ns = 0;  // at its begin, while nodes of the step before were still at work
  std::int64_t idle_ns = 0;     // at its end
  std::vector<WaterfallRow> rows{};
};

Waterfall waterfall_of(const NodeSteps& all, std::size_t group);

// Of the groups with the most frequent contents, the one with the median length. The last group has no
// successor, so its length counts only if it is the only one. Nothing without groups.
std::optional<std::size_t> median_group(const NodeSteps& all);

// What the nodes of a kind have in common: a kernel's label without its tile.
struct NodeSum {
  std::string kind;
  std::uint32_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t adds_ns = 0;
};

// What adds most comes first.
std::vector<NodeSum> sums_by_kind(const NodeSteps& all, const Waterfall& waterfall);

}  // namespace breakeven::analysis
