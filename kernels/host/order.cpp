// SPDX-License-Identifier: Apache-2.0
// Streams, events and graphs of the host device, where each operation runs when it is called.
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "kernels/host/host_device.h"
#include "src/core/failure.h"

namespace breakeven {
namespace {

class HostStream final : public Stream {
 public:
  void synchronize() override {}
  void wait_for(Event& /*event*/) override {}
};

class HostEvent final : public Event {
 public:
  void record(Stream& /*stream*/) override { recorded_ = std::chrono::steady_clock::now(); }
  bool reached() const override { return true; }

  // NaN if one of the two was never recorded.
  double seconds_since(const Event& earlier) const override {
    const auto& since = static_cast<const HostEvent&>(earlier).recorded_;
    if (!recorded_ || !since) return std::numeric_limits<double>::quiet_NaN();
    return std::chrono::duration<double>(*recorded_ - *since).count();
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> recorded_;
};

class HostGraph final : public Graph {
 public:
  HostGraph(GraphBody body, std::size_t marks) : body_(std::move(body)), marks_(marks) {}

  void launch(std::span<Event* const> marks, Stream& /*stream*/) override {
    if (marks.size() != marks_) {
      throw misused_call("HostGraph::launch", __FILE__, __LINE__,
                         std::to_string(marks.size()) + " marks given",
                         "captured with " + std::to_string(marks_));
    }
    body_(marks);
  }

 private:
  GraphBody body_;
  std::size_t marks_;
};

}  // namespace

std::unique_ptr<Stream> HostDevice::make_stream() { return std::make_unique<HostStream>(); }

std::unique_ptr<Event> HostDevice::make_event() { return std::make_unique<HostEvent>(); }

std::unique_ptr<Graph> HostDevice::capture(GraphBody body, std::span<Event* const> marks,
                                           Stream& /*stream*/) {
  return std::make_unique<HostGraph>(std::move(body), marks.size());
}

}  // namespace breakeven
