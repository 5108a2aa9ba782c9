// SPDX-License-Identifier: Apache-2.0
// The events of a timeline in the format of its viewers, and the rows of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "src/core/records/node_record.h"

namespace breakeven::report {

// The run is a process and each rank a thread: viewers sort threads by number, but not processes. A thread
// with the number of its process would be shown as the main thread.
constexpr int process = 1;
constexpr int first_thread = 100;

class EventList {
 public:
  void add(const nlohmann::ordered_json& event);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The format counts in microseconds. Whole nanoseconds keep adjacent slices adjacent.
inline double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

nlohmann::ordered_json name_event(std::string_view what, int thread, const std::string& name);

// Rows stand in the order of their threads' numbers.
void name_thread(int thread, const std::string& name, EventList& events);

// The rows of a rank's kernels from this thread on. Returns the next free one.
int add_nodes(const NodeRecording& recording, std::size_t rank, int thread, EventList& events);

}  // namespace breakeven::report
