// SPDX-License-Identifier: Apache-2.0
// Which recorded kernels and copies make up which training step.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace breakeven::analysis
