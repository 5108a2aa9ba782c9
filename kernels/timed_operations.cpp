// SPDX-License-Identifier: Apache-2.0
#include "kernels/timed_operations.h"

namespace breakeven {

TimedOperations::TimedOperations(Device& device, Stream& stream, const Operations& lead_in,
                                 const Operations& timed, bool in_graph)
    : stream_(stream),
      start_(device.make_event()),
      end_(device.make_event()),
      marks_{start_.get(), end_.get()},
      body_([lead_in, timed, &stream](std::span<Event* const> marks) {
        lead_in();
        marks[0]->record(stream);
        timed();
        marks[1]->record(stream);
      }) {
  if (in_graph) graph_ = device.capture(body_, marks_, stream);
}

void TimedOperations::launch() {
  if (graph_ != nullptr) {
    graph_->launch(marks_, stream_);
  } else {
    body_(marks_);
  }
}

double TimedOperations::seconds() const { return end_->seconds_since(*start_); }

}  // namespace breakeven
