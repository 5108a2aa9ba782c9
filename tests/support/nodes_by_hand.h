// SPDX-License-Identifier: Apache-2.0
// Made records of what a GPU did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/records/node_record.h"

namespace breakeven {

struct MadeNode {
  std::string name;
  std::int64_t start_ns;
  std::int64_t end_ns;
  std::uint32_t stream = 7;
};

// Replays of one graph, one every `apart_ns`.
inline std::vector<NodeRecord> replays(const std::vector<MadeNode>& graph, std::uint32_t launches,
                                       std::int64_t apart_ns) {
  std::vector<NodeRecord> nodes;
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      NodeRecord node;
      node.name = node.label = graph[i].name;
      node.start_ns = launch * apart_ns + graph[i].start_ns;
      node.end_ns = launch * apart_ns + graph[i].end_ns;
      node.stream = graph[i].stream;
      node.graph = 1;
      node.graph_node = 100 + i;
      node.launch = 500 + launch;
      nodes.push_back(node);
    }
  }
  return nodes;
}

// The same, enqueued one by one.
inline std::vector<NodeRecord> enqueued(const std::vector<MadeNode>& step, std::uint32_t steps,
                                        std::int64_t apart_ns) {
  std::vector<NodeRecord> nodes = replays(step, steps, apart_ns);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].graph = 0;
    nodes[i].graph_node = 0;
    nodes[i].launch = static_cast<std::uint32_t>(900 + i);
  }
  return nodes;
}

}  // namespace breakeven
