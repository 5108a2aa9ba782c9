// SPDX-License-Identifier: Apache-2.0
// What the peer transport does in the kernel of an exchange: the update by Adam, and the end of a layer.
#include <algorithm>
#include <utility>

#include "src/core/matrix.h"
#include "tests/support/peer_test.h"

namespace breakeven {
namespace {

// On a group of one nothing is exchanged.
class FusedPeer : public Peer {
 protected:
  void SetUp() override {
    Peer::SetUp();
    if (IsSkipped()) return;
    if (communicator_->size() == 1) GTEST_SKIP() << "needs two ranks";
    stream_ = device_->make_stream();
  }

  std::unique_ptr<Stream> stream_;
};

// The same values as an all-reduce followed by Device::adam, whether all ranks update all or each its share.
class PeerUpdate : public FusedPeer {
 protected:
  void SetUp() override {
    FusedPeer::SetUp();
    if (IsSkipped()) return;
    state_ = std::make_unique<DeviceArray<StepState>>(state_at(*device_, *stream_, 3));
  }

  // Gradient, parameters, moments and working copy, each of `count` values.
  struct State {
    State(Device& device, Stream& stream, std::size_t count, int rank)
        : gradient(device, stream, values_of(rank, count)),
          parameter(device, stream, values_of(17, count)),
          m(device, stream, values_of(18, count)),
          v(device, stream, std::vector<float>(count, 2.0f)),
          working(device, stream, std::vector<float>(count)) {}
    static std::vector<float> values_of(int rank, std::size_t count) {
      std::vector<float> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = uneven_value(rank, i);
      return values;
    }
    AdamArrays arrays(std::size_t at) const { return {parameter.data() + at, m.data() + at, v.data() + at}; }
    DeviceFloats gradient, parameter, m, v, working;
  };

  State state_of(std::size_t count) { return State(*device_, *stream_, count, communicator_->rank()); }
  SummedUpdate update_of(const State& of, std::size_t at, std::size_t count, Dtype dtype) const {
    return {.count = count,
            .gradient = of.gradient.data(),
            .settings = settings,
            .state = state_->data(),
            .arrays = of.arrays(at),
            .working = dtype == Dtype::fp32 ? nullptr : of.working.data(),
            .dtype = dtype,
            .keep_gradient = true};
  }
  // One call after another.
  State expected(std::size_t count, Dtype dtype) {
    State of = state_of(count);
    communicator_->all_reduce_sum(of.gradient.data(), count, *stream_);
    const SummedUpdate update = update_of(of, 0, count, dtype);
    device_->adam(count, update.gradient, settings, update.state, update.arrays, update.working, dtype,
                  *stream_);
    return of;
  }
  // The working copy in floats, so that -0 equals +0.
  std::vector<float> widened(const State& of, std::size_t count, Dtype dtype) {
    if (dtype == Dtype::fp32) return of.parameter.read();
    const DeviceFloats wide(*device_, *stream_, std::vector<float>(count));
    device_->widen(count, of.working.data(), dtype, wide.data(), *stream_);
    return wide.read();
  }
  static std::vector<float> share(const std::vector<float>& values, std::size_t at, std::size_t count) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  static constexpr AdamSettings settings{.learning_rate = 0.01f};
  std::unique_ptr<DeviceArray<StepState>> state_;
};

TEST_F(PeerUpdate, UpdatesByTheSums) {
  const auto ranks = static_cast<std::size_t>(communicator_->size());
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16}) {
    for (const std::size_t count : {3, 1001, 50'000, 2'500'003, 17'000'001}) {
      SCOPED_TRACE(testing::Message() << bytes_of(dtype) << " bytes each, " << count);
      const State right = expected(count, dtype), of = state_of(count);
      SummedUpdate update = update_of(of, 0, count, dtype);
      update.keep_gradient = count != 1001;
      EXPECT_TRUE(communicator_->all_reduce_and_update(update, *stream_));
      EXPECT_EQ(of.gradient.read(), update.keep_gradient ? right.gradient.read()
                                                         : State::values_of(communicator_->rank(), count));
      EXPECT_EQ(of.parameter.read(), right.parameter.read());
      EXPECT_EQ(widened(of, count, dtype), widened(right, count, dtype));
      // Where they are many, the moments of the others' shares are out of date.
      const bool in_shares = count > 1'000'000;
      const std::size_t each = in_shares ? (count / ranks / 4 + 1) * 4 : count;
      const std::size_t at = in_shares ? static_cast<std::size_t>(communicator_->rank()) * each : 0;
      const std::size_t own = std::min(each, count - at);
      EXPECT_EQ(share(of.m.read(), at, own), share(right.m.read(), at, own));
      EXPECT_EQ(share(of.v.read(), at, own), share(right.v.read(), at, own));
    }
  }
  communicator_->check();
}

TEST_F(PeerUpdate, UpdatesShares) {
  const auto ranks = static_cast<std::size_t>(communicator_->size());
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16}) {
    for (const std::size_t each : {4, 1004, 1'500'000, 5'600'004}) {
      SCOPED_TRACE(testing::Message() << bytes_of(dtype) << " bytes each, " << each << " a share");
      const std::size_t at = static_cast<std::size_t>(communicator_->rank()) * each;
      const State right = expected(ranks * each, dtype), of = state_of(ranks * each);
      SummedUpdate update = update_of(of, at, each, dtype);
      if (dtype == Dtype::fp32) update.working = of.parameter.data();
      EXPECT_TRUE(communicator_->update_shares(update, *stream_));
      EXPECT_EQ(share(of.gradient.read(), at, each), share(right.gradient.read(), at, each));
      EXPECT_EQ(share(of.parameter.read(), at, each), share(right.parameter.read(), at, each));
      EXPECT_EQ(share(of.m.read(), at, each), share(right.m.read(), at, each));
      EXPECT_EQ(share(of.v.read(), at, each), share(right.v.read(), at, each));
      if (dtype == Dtype::fp32) {
        EXPECT_EQ(of.parameter.read(), right.parameter.read());
      } else {
        EXPECT_EQ(widened(of, ranks * each, dtype), widened(right, ranks * each, dtype));
      }
    }
  }
  communicator_->check();
}

// As training does it: one kernel right after another, nothing else between the ranks, and another gradient
// in every replay. Updates of both kinds take turns, so each inbox sees words of both.
TEST_F(PeerUpdate, ReplaysUpdates) {
  constexpr int replays = 200;
  const auto ranks = static_cast<std::size_t>(communicator_->size());
  const auto rank = static_cast<std::size_t>(communicator_->rank());
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16}) {
    for (const std::size_t each : {4'004, 1'300'004}) {
      const std::size_t count = ranks * each;
      SCOPED_TRACE(testing::Message() << bytes_of(dtype) << " bytes each, " << count);
      const State right = state_of(count), whole = state_of(count), shares = state_of(count);
      const DeviceFloats change(*device_, *stream_, State::values_of(40 + communicator_->rank(), count));
      const DeviceFloats sums(*device_, *stream_, std::vector<float>(count));
      SummedUpdate of_whole = update_of(whole, 0, count, dtype);
      SummedUpdate of_share = update_of(shares, rank * each, each, dtype);
      of_whole.keep_gradient = of_share.keep_gradient = false;
      if (dtype == Dtype::fp32) of_share.working = shares.parameter.data();
      const auto graph = device_->capture(
          [&](std::span<Event* const>) {
            device_->add(count, change.data(), whole.gradient.data(), *stream_);
            device_->add(count, change.data(), shares.gradient.data(), *stream_);
            EXPECT_TRUE(communicator_->all_reduce_and_update(of_whole, *stream_));
            EXPECT_TRUE(communicator_->update_shares(of_share, *stream_));
          },
          {}, *stream_);
      for (int i = 0; i < replays; ++i) graph->launch({}, *stream_);
      const SummedUpdate apart = update_of(right, 0, count, dtype);
      for (int i = 0; i < replays; ++i) {
        device_->add(count, change.data(), right.gradient.data(), *stream_);
        device_->copy(sums.data(), right.gradient.data(), count * sizeof(float), *stream_);
        communicator_->all_reduce_sum(sums.data(), count, *stream_);
        device_->adam(count, sums.data(), settings, apart.state, apart.arrays, apart.working, dtype,
                      *stream_);
      }
      const std::vector<float> expected = right.parameter.read();
      EXPECT_EQ(whole.parameter.read(), expected);
      EXPECT_EQ(share(shares.parameter.read(), rank * each, each), share(expected, rank * each, each));
      EXPECT_EQ(widened(whole, count, dtype), widened(right, count, dtype));
      EXPECT_EQ(widened(shares, count, dtype), widened(right, count, dtype));
      EXPECT_EQ(share(shares.v.read(), rank * each, each), share(right.v.read(), rank * each, each));
    }
  }
  communicator_->check();
}

// The same values as an all-reduce followed by the epilogue and the rounding as passes of their own.
class PeerLayer : public FusedPeer {
 protected:
  // A matrix whose padding holds zeros.
  DeviceFloats matrix(int rank, std::int64_t rows, std::int64_t cols, float scale = 1e-3f) {
    const std::int64_t ld = padded_width(cols);
    std::vector<float> values(static_cast<std::size_t>(rows * ld));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (static_cast<std::int64_t>(i) % ld < cols) values[i] = scale * uneven_value(rank, i);
    return DeviceFloats(*device_, *stream_, values);
  }
  static Matrix view(const DeviceFloats& of, std::int64_t rows, std::int64_t cols, Dtype dtype) {
    return {of.data(), rows, cols, padded_width(cols), dtype};
  }
  std::vector<float> widened(const DeviceFloats& of, std::size_t count, Dtype dtype) {
    if (dtype == Dtype::fp32) return of.read();
    const DeviceFloats wide(*device_, *stream_, std::vector<float>(count));
    device_->widen(count, of.data(), dtype, wide.data(), *stream_);
    return wide.read();
  }

  // `apart` does in place what the epilogue says.
  template <typename Apart>
  void check(std::int64_t rows, std::int64_t cols, Dtype dtype, const Epilogue& epilogue,
             const Apart& apart) {
    SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", " << bytes_of(dtype) << " bytes each");
    const auto count = static_cast<std::size_t>(rows * padded_width(cols));
    const DeviceFloats sums = matrix(communicator_->rank(), rows, cols);
    const DeviceFloats expected = matrix(communicator_->rank(), rows, cols);
    const DeviceFloats rounded(*device_, *stream_, std::vector<float>(count));
    const DeviceFloats finished(*device_, *stream_, std::vector<float>(count));
    const Matrix of_sums = view(sums, rows, cols, Dtype::fp32);
    const Matrix result = dtype == Dtype::fp32 ? of_sums : view(finished, rows, cols, dtype);
    const bool can = communicator_->all_reduce_and_finish(of_sums, epilogue, result, *stream_);
    EXPECT_EQ(can, communicator_->size() == 2 || count * sizeof(float) < 256 << 10);
    if (!can) return;
    communicator_->all_reduce_sum(expected.data(), count, *stream_);
    apart(view(expected, rows, cols, Dtype::fp32));
    if (dtype != Dtype::fp32) device_->convert(count, expected.data(), rounded.data(), dtype, *stream_);
    EXPECT_EQ(widened(dtype == Dtype::fp32 ? sums : finished, count, dtype),
              widened(dtype == Dtype::fp32 ? expected : rounded, count, dtype));
  }
};

TEST_F(PeerLayer, FinishesLayers) {
  const DeviceArray<StepState> state = state_at(*device_, *stream_, 3);
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16}) {
    for (const auto& [rows, cols] : {std::pair{5, 30}, {128, 1021}, {4200, 2004}}) {
      const DeviceFloats bias = matrix(9, 1, cols), active = matrix(10, rows, cols);
      device_->bias_relu_dropout(bias.data(), {}, state.data(), view(active, rows, cols, Dtype::fp32),
                                 *stream_);  // some are zero
      const auto count = static_cast<std::size_t>(rows * padded_width(cols));
      const DeviceFloats rounded(*device_, *stream_, std::vector<float>(count));
      if (dtype != Dtype::fp32) device_->convert(count, active.data(), rounded.data(), dtype, *stream_);
      const ConstMatrix h = view(dtype == Dtype::fp32 ? active : rounded, rows, cols, dtype);
      check(rows, cols, dtype, AddBias{bias.data()},
            [&](Matrix y) { device_->add_bias(bias.data(), y, *stream_); });
      const Dropout dropout{.rate = 0.25f, .seed = 7, .layer = 2, .first_sample = 40, .first_unit = 64};
      check(rows, cols, dtype, BiasReluDropout{bias.data(), dropout, state.data()},
            [&](Matrix y) { device_->bias_relu_dropout(bias.data(), dropout, state.data(), y, *stream_); });
      check(rows, cols, dtype, ReluDropoutBackward{h, 0.25f, state.data()},
            [&](Matrix dh) { device_->relu_dropout_backward(h, 0.25f, state.data(), dh, *stream_); });
    }
  }
  communicator_->check();
}

// 1e5 for each rank is finite in fp32 and not in fp16.
TEST_F(PeerLayer, TellsOverflowOfTheRoundedGradient) {
  constexpr std::int64_t rows = 5, cols = 30;
  for (const Dtype dtype : {Dtype::fp32, Dtype::fp16}) {
    const DeviceArray<StepState> state = scaled_state_at(*device_, *stream_, 3, 1.0f);
    const DeviceFloats ones(*device_, *stream_, std::vector<float>(rows * padded_width(cols), 1.0f));
    const DeviceFloats rounded(*device_, *stream_, std::vector<float>(rows * padded_width(cols)));
    if (dtype != Dtype::fp32)
      device_->convert(rows * padded_width(cols), ones.data(), rounded.data(), dtype, *stream_);
    const DeviceFloats sums(*device_, *stream_, std::vector<float>(rows * padded_width(cols), 1e5f));
    const DeviceFloats finished(*device_, *stream_, std::vector<float>(rows * padded_width(cols)));
    const ReluDropoutBackward backward{view(dtype == Dtype::fp32 ? ones : rounded, rows, cols, dtype), 0.0f,
                                       state.data()};
    EXPECT_TRUE(communicator_->all_reduce_and_finish(view(sums, rows, cols, Dtype::fp32), backward,
                                                     view(finished, rows, cols, dtype), *stream_));
    EXPECT_EQ(state.download()[0].overflow, dtype == Dtype::fp16 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace breakeven
