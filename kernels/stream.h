// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs.
#pragma once

#include <functional>
#include <memory>
#include <span>

namespace breakeven {

class Stream;

// A point in a stream's work.
class Event {
 public:
  virtual ~Event() = default;
  virtual void record(Stream& stream) = 0;
  virtual bool reached() const = 0;  // all work before the point is done
  virtual double seconds_since(
      const Event& earlier) const = 0;  // both reached; resolution about 0.5 us on CUDA
};

// Work in order.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void synchronize() = 0;           // returns when all work is done
  virtual void wait_for(Event& event) = 0;  // work enqueued from now on starts after the event
};

// A captured sequence of operations that can be replayed. `marks` replace, one for one and in order, the
// events that the captured body recorded.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual void launch(std::span<Event* const> marks, Stream& stream) = 0;
};
using GraphBody = std::function<void(std::span<Event* const> marks)>;

}  // namespace breakeven
