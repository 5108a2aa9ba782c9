// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/trace_events.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/report/trace/waterfall_rows.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

void add_node(const NodeRecord& node, int thread, EventList& events) {
  Json facts{{"name", node.name}};
  if (node.kind == NodeKind::kernel) {
    facts["grid"] = size_in_words(node.grid);
    facts["block"] = size_in_words(node.block);
  } else {
    facts["bytes"] = node.bytes;
  }
  events.add({{"ph", "X"},
              {"name", node.label},
              {"cat", name_of(node.kind)},
              {"pid", process},
              {"tid", thread},
              {"ts", microseconds(node.start_ns)},
              {"dur", microseconds(node.end_ns - node.start_ns)},
              {"args", std::move(facts)}});
}

}  // namespace

void EventList::add(const Json& event) {
  text_ += (text_.empty() ? "" : ",\n") + event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json name_event(std::string_view what, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

void name_thread(int thread, const std::string& name, EventList& events) {
  events.add(name_event("thread_name", thread, name));
  events.add({{"ph", "M"},
              {"name", "thread_sort_index"},
              {"pid", process},
              {"tid", thread},
              {"args", {{"sort_index", thread - first_thread}}}});
}

// A row for each stream. Viewers draw no slices of one row that overlap, so a kernel that begins before the
// stream's last one has ended goes into one more row of the stream.
int add_nodes(const NodeRecording& recording, std::size_t rank, int thread, EventList& events) {
  struct Row {
    int thread;
    std::int64_t end_ns;
  };
  std::map<std::uint32_t, std::vector<Row>> streams;
  std::vector<NodeRecord> nodes = recording.nodes;
  std::ranges::stable_sort(nodes, {}, &NodeRecord::start_ns);
  for (const NodeRecord& node : nodes) {
    std::vector<Row>& rows = streams[node.stream];
    auto row = std::ranges::find_if(rows, [&](const Row& one) { return one.end_ns <= node.start_ns; });
    if (row == rows.end()) {
      name_thread(thread,
                  fmt::format("rank {}, stream {}{}", rank, node.stream, rows.empty() ? "" : ", overlapping"),
                  events);
      row = rows.insert(row, {thread++, 0});
    }
    row->end_ns = node.end_ns;
    add_node(node, row->thread, events);
  }
  return thread;
}

}  // namespace breakeven::report
