// SPDX-License-Identifier: Apache-2.0
// Device time of a sequence of operations, in a CUDA graph if asked for: without the gaps that launching one
// by one from the host leaves.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/device.h"

namespace breakeven {

// Two sequences, with an event before and after the second. The first is the lead-in: it fills or empties
// caches and keeps the device busy until the second is enqueued. In a graph both may only call operations on
// the stream, and the libraries that they use must have run once before.
class TimedOperations {
 public:
  using Operations = std::function<void()>;
  TimedOperations(Device& device, Stream& stream, const Operations& lead_in, const Operations& timed,
                  bool in_graph = true);

  void launch();           // asynchronous
  double seconds() const;  // of the timed sequence in the last launch, after the stream is synchronized

 private:
  Stream& stream_;
  std::unique_ptr<Event> start_;
  std::unique_ptr<Event> end_;
  std::vector<Event*> marks_;
  GraphBody body_;
  std::unique_ptr<Graph> graph_;  // null: launch() calls body_
};

}  // namespace breakeven
