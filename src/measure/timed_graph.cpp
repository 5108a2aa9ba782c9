// SPDX-License-Identifier: Apache-2.0
#include "src/measure/timed_graph.h"

namespace breakeven {

TimedGraph::TimedGraph(Device& device, Stream& stream, const Operations& lead_in, const Operations& timed)
    : stream_(stream),
      start_(device.make_event()),
      end_(device.make_event()),
      marks_{start_.get(), end_.get()} {
  const GraphBody body = [lead_in, timed, &stream](std::span<Event* const> marks) {
    lead_in();
    marks[0]->record(stream);
    timed();
    marks[1]->record(stream);
  };
  graph_ = device.capture(body, marks_, stream);
}

void TimedGraph::launch() { graph_->launch(marks_, stream_); }

double TimedGraph::seconds() const { return end_->seconds_since(*start_); }

}  // namespace breakeven
