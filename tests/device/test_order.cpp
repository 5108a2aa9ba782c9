// SPDX-License-Identifier: Apache-2.0
// Streams and events: work is in order, another stream can wait for it, and times are real.
#include <chrono>
#include <cmath>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

class Order : public DeviceTest {
 protected:
  static constexpr std::size_t count = 1 << 20;

  // Work that takes a while: `values` becomes `values` - `times` * 1.
  static void count_down(const DeviceArray<float>& values, const DeviceArray<float>& ones,
                         const DeviceArray<StepState>& state, int times, Stream& on) {
    for (int i = 0; i < times; ++i) {
      device().sgd(count, ones.data(), 1.0f, state.data(), values.data(), nullptr, Dtype::fp32, on);
    }
  }
};

TEST_F(Order, EventsAreReachedInOrderAndTimesAreReal) {
  const DeviceArray<float> values(device(), stream(), std::vector<float>(count, 64.0f));
  const DeviceArray<float> ones(device(), stream(), std::vector<float>(count, 1.0f));
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const auto first = device().make_event();
  const auto middle = device().make_event();
  const auto last = device().make_event();
  const auto host_start = std::chrono::steady_clock::now();
  first->record(stream());
  count_down(values, ones, state, 32, stream());
  middle->record(stream());
  count_down(values, ones, state, 32, stream());
  last->record(stream());
  stream().synchronize();
  const std::chrono::duration<double> host_seconds = std::chrono::steady_clock::now() - host_start;
  EXPECT_TRUE(first->reached());
  EXPECT_TRUE(middle->reached());
  EXPECT_TRUE(last->reached());
  EXPECT_GT(middle->seconds_since(*first), 0.0);
  EXPECT_GT(last->seconds_since(*middle), 0.0);
  const double total = last->seconds_since(*first);
  EXPECT_TRUE(near(middle->seconds_since(*first) + last->seconds_since(*middle), total, 1e-5 + 1e-3 * total));
  EXPECT_LE(total, host_seconds.count() * 1.01 + 1e-5);  // the host waited for all of it
  EXPECT_EQ(first->seconds_since(*first), 0.0);
  EXPECT_EQ(values.download(), std::vector<float>(count, 0.0f));
}

TEST_F(Order, AnEventCanBeRecordedAgain) {
  const auto first = device().make_event();
  const auto second = device().make_event();
  first->record(stream());
  second->record(stream());
  first->record(stream());
  stream().synchronize();
  EXPECT_GE(first->seconds_since(*second), 0.0);
}

TEST_F(Order, AStreamWaitsForTheEventOfAnother) {
  const DeviceArray<float> values(device(), stream(), std::vector<float>(count, 200.0f));
  const DeviceArray<float> ones(device(), stream(), std::vector<float>(count, 1.0f));
  const DeviceArray<StepState> state = state_at(device(), stream(), 0);
  const DeviceArray<float> copy(device(), stream(), std::vector<float>(count, -1.0f));
  const auto other = device().make_stream();
  const auto done = device().make_event();
  count_down(values, ones, state, 200, stream());
  done->record(stream());
  other->wait_for(*done);
  device().copy(copy.data(), values.data(), count * sizeof(float), *other);
  other->synchronize();
  EXPECT_EQ(copy.download(), std::vector<float>(count, 0.0f));
}

TEST_F(Order, SynchronizeIsFineWithNothingToDo) {
  const auto idle = device().make_stream();
  idle->synchronize();
  idle->synchronize();
  const auto event = device().make_event();
  event->record(*idle);
  idle->synchronize();
  EXPECT_TRUE(event->reached());
}

}  // namespace
}  // namespace breakeven
