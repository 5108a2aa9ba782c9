// SPDX-License-Identifier: Apache-2.0
// Which recorded kernels and copies make up which training step, and where the time of a step goes, node by
// node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/core/records/node_record.h"

namespace breakeven::analysis {

// The nodes of one step, or of one launch of several steps that cannot be told apart.
struct NodeGroup {
  std::uint32_t first_step = 0;
  std::uint32_t steps = 1;
  std::vector<std::size_t> nodes;  // places in NodeSteps::nodes, by start
};

struct NodeSteps {
  std::vector<NodeRecord> nodes;  // by start
  std::vector<NodeGroup> groups;  // empty where `problem` is not
  std::string problem;            // why the nodes cannot be assigned to steps, as a sentence
};

// `steps` were made, `steps_a_launch` by each launch but the last, which made what was left. Launches of a
// graph are told apart by the number of the call that replayed it, or where the profiler does not number
// replays, by the repetition of the graph's nodes. Without a graph, a step ends with the kernel that counts
// steps, or is the sequence that repeats. Nodes before the first step and behind the last one, such as copies
// of results, belong to none.
NodeSteps assign_steps(std::vector<NodeRecord> nodes, std::uint32_t steps, std::uint32_t steps_a_launch);

// The names of the group's nodes, sorted: the nodes of two streams do not always start in the same order.
std::string contents_of(const NodeSteps& all, const NodeGroup& group);

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

// Among the groups with the most frequent contents, the one with the median length. The last group has no
// successor, so its length counts only if it is the only one. Nothing without groups.
std::optional<std::size_t> median_group(const NodeSteps& all);

// What the nodes of a kind have in common: a kernel's label without its tile.
struct NodeSum {
  std::string kind;
  std::uint32_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t adds_ns = 0;
};

// The kind that adds most comes first.
std::vector<NodeSum> sums_by_kind(const NodeSteps& all, const Waterfall& waterfall);

}  // namespace breakeven::analysis
