// SPDX-License-Identifier: Apache-2.0
// Device time of a sequence of operations, without the gaps that launching one by one from the host leaves.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/device.h"

namespace breakeven {

// Two sequences in one graph, with a mark before and one behind the second. The first is the lead-in: it
// fills or empties caches and keeps the device busy until the second is there. Both may only call operations
// on the stream, and what they need of libraries must have run once before.
class TimedGraph {
 public:
  using Operations = std::function<void()>;
  TimedGraph(Device& device, Stream& stream, const Operations& lead_in, const Operations& timed);

  void launch();           // asynchronous
  double seconds() const;  // of the timed part in the last launch, whose work is done

 private:
  Stream& stream_;
  std::unique_ptr<Event> start_;
  std::unique_ptr<Event> end_;
  std::vector<Event*> marks_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace breakeven
