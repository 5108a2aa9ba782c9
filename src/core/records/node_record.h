// SPDX-License-Identifier: Apache-2.0
// What a GPU did between two points in time: one kernel, copy or memset, as a profiler recorded it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/words_of.h"

namespace breakeven {

enum class NodeKind : std::uint8_t { kernel, copy, set };
template <>
inline constexpr auto words_of<NodeKind> = std::to_array<std::string_view>({"kernel", "copy", "set"});

struct NodeRecord {
  NodeKind kind = NodeKind::kernel;
  std::string name{};   // of a kernel with its template arguments; of a copy its direction
  std::string label{};  // the short name, for people
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t stream = 0;
  std::uint32_t graph = 0;  // 0: not part of a graph
  std::uint64_t graph_node = 0;
  std::uint32_t launch = 0;  // number of the call that launched it; the nodes of one replay have one number
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint64_t bytes = 0;  // of a copy or memset
};

struct NodeRecording {
  std::vector<NodeRecord> nodes;
  std::uint64_t dropped = 0;       // records that the profiler lost
  double uncertainty_seconds = 0;  // of the conversion to the host's clock
};

}  // namespace breakeven
