// SPDX-License-Identifier: Apache-2.0
// A small network's step whose gradients the peer transport sums: the bits of each rank's own step on one
// GPU, of sums in rank order, and of Adam by these.
#include <array>
#include <cstring>
#include <utility>

#include "mpi/mpi_call.h"
#include "tests/support/peer_test.h"
#include "tests/support/whole_step.h"

namespace breakeven {
namespace {

using Widths = std::vector<std::int64_t>;

constexpr Precision offered_precisions[] = {Precision::fp32, Precision::tf32, Precision::bf16,
                                            Precision::fp16};

// Of this rank. More than 16 rows, which one GPU does not keep resident on a cluster.
SmallNetworkSettings settings_of(const Widths& widths, std::int64_t rows, Precision precision) {
  const Session& session = test_session();
  SmallNetworkSettings settings;
  settings.widths = widths;
  settings.rows = rows;
  settings.global_batch = static_cast<std::uint32_t>(rows * session.size());
  settings.samples = 3 * settings.global_batch + 11;
  settings.first_sample = static_cast<std::uint32_t>(rows * session.rank());
  settings.precision = precision;
  settings.passes = Passes::fused;
  if (info_of(precision).scales_loss) settings.loss_scale = 2;  // random weights make large gradients
  return settings;
}

// Every array of a layer that a step changes or keeps.
std::vector<std::span<float>> arrays_of(const SmallNetwork::Layer& layer) {
  return {layer.w.flat(),          layer.w_first_moment.flat(), layer.w_second_moment.flat(),
          layer.b.span(),          layer.b_first_moment.span(), layer.b_second_moment.span(),
          layer.w_gradient.flat(), layer.b_gradient.span()};
}
constexpr std::size_t changed_arrays = 6;  // the first of them

class Network : public WholeStepNetwork {
 public:
  using WholeStepNetwork::WholeStepNetwork;

  void take_state_of(const Network& other) {
    for (std::size_t i = 0; i < layer_count(); ++i) {
      const auto from = arrays_of(other.layer(i)), to = arrays_of(layer(i));
      for (std::size_t a = 0; a < changed_arrays; ++a) copy(from[a], to[a]);
      const Matrix working = layer(i).w_working.view();
      const auto bytes = static_cast<std::size_t>(working.rows * working.ld * bytes_of(working.dtype));
      device_.copy(working.data, other.layer(i).w_working.data(), bytes, stream_);
    }
    device_.copy(state_.data(), other.state_.data(), sizeof(StepState), stream_);
  }
  void take_gradients_of(const Network& other) {
    for (std::size_t i = 0; i < layer_count(); ++i) {
      copy(other.layer(i).w_gradient.flat(), layer(i).w_gradient.flat());
      copy(other.layer(i).b_gradient.span(), layer(i).b_gradient.span());
    }
  }
  void find_overflow() {
    for (std::size_t i = 0; i < layer_count(); ++i) {
      for (const std::span<float> gradient : gradients(i))
        device_.find_overflow(gradient.size(), gradient.data(), state_.data(), stream_);
    }
  }
  std::array<std::span<float>, 2> gradients(std::size_t i) const {
    return {layer(i).w_gradient.flat(), layer(i).b_gradient.span()};
  }
  void spoil_targets(float value) {
    const std::vector<float> values(targets_.flat().size(), value);
    device_.copy(targets_.flat().data(), values.data(), values.size() * sizeof(float), stream_);
    stream_.synchronize();
  }
  std::vector<std::vector<float>> download_all() const {
    std::vector<std::vector<float>> all{losses()};  // first
    for (std::size_t i = 0; i < layer_count(); ++i) {
      for (const std::span<float> array : arrays_of(layer(i)))
        all.push_back(download(device_, array, stream_));
      const DeviceFloats working(device_, stream_, std::vector<float>(layer(i).w.flat().size()));
      device_.widen(layer(i).w.flat().size(), layer(i).w_working.data(), dtype_, working.data(), stream_);
      if (dtype_ != Dtype::fp32) all.push_back(working.read());
    }
    return all;
  }

 private:
  void copy(std::span<const float> from, std::span<float> to) {
    device_.copy(to.data(), from.data(), from.size_bytes(), stream_);
  }
};

// By the device's own operations. `sum` adds an array over the ranks.
class Definition {
 public:
  Definition(Device& device, Stream& stream, const SmallNetworkSettings& settings)
      : whole(device, stream, settings, 0), own(device, stream, settings, 0), settings_(settings) {}

  template <typename Sum>
  void step(const Sum& sum) {
    own.take_state_of(whole);
    ASSERT_TRUE(own.whole_step());
    whole.take_gradients_of(own);
    for (std::size_t i = 0; i < whole.layer_count(); ++i) {
      for (const std::span<float> gradient : whole.gradients(i)) sum(gradient);
    }
    if (info_of(settings_.precision).scales_loss) whole.find_overflow();
    whole.update();
  }

  Network whole;  // its losses are those of `own`
  Network own;    // one GPU's step with this rank's rows

 private:
  SmallNetworkSettings settings_;
};

class PeerNetwork : public Peer {
 protected:
  void SetUp() override {
    Peer::SetUp();
    if (IsSkipped()) return;
    stream_ = device_->make_stream();
    exchange_ = communicator_->step_exchange();
    if (communicator_->size() == 1) return;
    Network network(*device_, *stream_, settings_of({64, 33, 10}, 20, Precision::fp32), 0);
    if (!network.whole_steps(0)) GTEST_SKIP() << "this GPU fuses no steps";
  }

  // In rank order, on the host.
  void sum_over_mpi(std::span<float> values) {
    const std::vector<float> mine = download(*device_, values, *stream_);
    const auto count = static_cast<int>(mine.size());
    std::vector<float> all(mine.size() * static_cast<std::size_t>(communicator_->size()));
    MPI_CALL(
        MPI_Allgather(mine.data(), count, MPI_FLOAT, all.data(), count, MPI_FLOAT, test_session().world()));
    std::vector<float> sums(all.begin(), all.begin() + count);
    for (std::size_t i = mine.size(); i < all.size(); ++i) sums[i % mine.size()] += all[i];
    device_->copy(values.data(), sums.data(), values.size_bytes(), *stream_);
    stream_->synchronize();
  }
  void sum_over_peers(std::span<float> values) {
    communicator_->all_reduce_sum(values.data(), values.size(), *stream_);
  }

  // -0 equals +0.
  void expect_equal(const Network& network, const Definition& definition) {
    EXPECT_EQ(network.losses(), definition.own.losses());
    const auto values = network.download_all(), right = definition.whole.download_all();
    for (std::size_t a = 1; a < right.size(); ++a) EXPECT_EQ(values[a], right[a]) << "array " << a;
    const StepState state = network.state(), expected = definition.whole.state();
    EXPECT_EQ(state.step, expected.step);
    EXPECT_EQ(state.overflow, 0u);
    EXPECT_EQ(state.loss_scale, expected.loss_scale);
    EXPECT_EQ(state.steps_since_scaled, expected.steps_since_scaled);
    EXPECT_EQ(state.beta2_power, expected.beta2_power);
  }
  // Weights and moments, to the bit.
  void expect_same_on_all(const Network& network) {
    const auto all = network.download_all();
    for (std::size_t a = 1; a < all.size(); ++a) {  // each rank has its own losses
      const std::vector<float>& values = all[a];
      std::vector<float> roots = values;
      MPI_CALL(MPI_Bcast(roots.data(), static_cast<int>(roots.size()), MPI_FLOAT, 0, test_session().world()));
      EXPECT_EQ(std::memcmp(values.data(), roots.data(), values.size() * sizeof(float)), 0);
    }
  }

  void expect_steps_of_definition(const SmallNetworkSettings& settings, int steps) {
    Network network(*device_, *stream_, settings, 0);
    Definition definition(*device_, *stream_, settings);
    for (int step = 0; step < steps; ++step) {
      ASSERT_TRUE(network.whole_steps(1, exchange_));
      definition.step([&](std::span<float> values) { sum_over_mpi(values); });
      expect_equal(network, definition);
    }
    expect_same_on_all(network);
  }

  std::unique_ptr<Stream> stream_;
  StepExchange* exchange_ = nullptr;
};

TEST_F(PeerNetwork, IsForSeveralRanks) { EXPECT_EQ(exchange_ == nullptr, communicator_->size() == 1); }

TEST_F(PeerNetwork, EqualsSumsInRankOrder) {
  if (exchange_ == nullptr) GTEST_SKIP() << "needs two ranks";
  const std::pair<Widths, std::int64_t> networks[] = {
      {{784, 256, 256, 10}, 128}, {{64, 33, 10}, 20}, {{33, 129, 31, 7, 2, 5}, 45}};
  for (const auto& [widths, rows] : networks) {
    for (const Precision precision : offered_precisions) {
      SCOPED_TRACE(testing::Message() << widths[0] << " inputs, " << name_of(precision));
      const SmallNetworkSettings settings = settings_of(widths, rows, precision);
      Network network(*device_, *stream_, settings, 0);
      if (network.whole_steps(0, exchange_)) expect_steps_of_definition(settings, 6);
    }
  }
  communicator_->check();
}

// Blocks of more than a wave, and calls of other kinds between the steps.
TEST_F(PeerNetwork, TakesTurnsWithOtherCalls) {
  if (exchange_ == nullptr) GTEST_SKIP() << "needs two ranks";
  const SmallNetworkSettings settings = settings_of({1000, 600, 90}, 32, Precision::fp32);
  Network network(*device_, *stream_, settings, 0);
  if (!network.whole_steps(0, exchange_)) GTEST_SKIP() << "this GPU does not fuse the network's steps";
  Definition definition(*device_, *stream_, settings);
  const std::size_t count = 70'001;
  for (int step = 0; step < 12; ++step) {
    ASSERT_TRUE(network.whole_steps(1, exchange_));
    std::vector<DeviceFloats> between;
    for (int call = 0; call < step % 3; ++call) {
      between.emplace_back(*device_, *stream_, exchange_values(communicator_->rank(), count));
      communicator_->all_reduce_sum(between.back().data(), count, *stream_);
    }
    ASSERT_TRUE(network.whole_steps(2, exchange_));
    for (const DeviceFloats& values : between)
      EXPECT_EQ(values.read(), exchange_sums(communicator_->size(), count));
    for (int i = 0; i < 3; ++i) definition.step([&](std::span<float> values) { sum_over_peers(values); });
  }
  expect_equal(network, definition);
  expect_same_on_all(network);
  communicator_->check();
}

// As training does it: launches of 20 steps with nothing else between the ranks.
TEST_F(PeerNetwork, ReplaysManySteps) {
  if (exchange_ == nullptr) GTEST_SKIP() << "needs two ranks";
  constexpr int replays = 500, steps_a_replay = 20;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    SCOPED_TRACE(name_of(precision));
    const SmallNetworkSettings settings = settings_of({130, 96, 40, 10}, 32, precision);
    Network network(*device_, *stream_, settings, 0);
    if (!network.whole_steps(0, exchange_)) continue;
    Definition definition(*device_, *stream_, settings);
    ASSERT_TRUE(network.whole_steps(1, exchange_));
    const auto graph = device_->capture(
        [&](std::span<Event* const>) { EXPECT_TRUE(network.whole_steps(steps_a_replay, exchange_)); }, {},
        *stream_);
    for (int i = 0; i < replays; ++i) graph->launch({}, *stream_);
    for (int i = 0; i < 1 + replays * steps_a_replay; ++i)
      definition.step([&](std::span<float> values) { sum_over_peers(values); });
    expect_equal(network, definition);
    expect_same_on_all(network);
  }
  communicator_->check();
}

// fp16: a gradient of the last rank alone overflows, and all ranks skip the steps.
TEST_F(PeerNetwork, OverflowOfOneRankIsOneOfAll) {
  if (exchange_ == nullptr) GTEST_SKIP() << "needs two ranks";
  SmallNetworkSettings settings = settings_of({130, 96, 40, 10}, 32, Precision::fp16);
  settings.loss_scale = 16 * least_loss_scale;
  Network network(*device_, *stream_, settings, 0);
  if (!network.whole_steps(0, exchange_)) GTEST_SKIP() << "this GPU does not fuse the network's steps";
  const Network untouched(*device_, *stream_, settings, 0);
  Network unspoiled(*device_, *stream_, settings, 0);
  ASSERT_TRUE(unspoiled.whole_steps(3, exchange_));
  EXPECT_EQ(unspoiled.state().loss_scale, settings.loss_scale);
  if (communicator_->rank() + 1 == communicator_->size()) network.spoil_targets(1e12f);
  ASSERT_TRUE(network.whole_steps(3, exchange_));
  const StepState state = network.state();
  EXPECT_EQ(state.step, 3u);
  EXPECT_EQ(state.overflow, 0u);
  EXPECT_EQ(state.loss_scale, settings.loss_scale / 8);
  EXPECT_EQ(state.beta1_power, 1.0);
  bool finite = true;
  for (std::size_t i = 0; i < network.layer_count(); ++i) {
    const auto arrays = arrays_of(network.layer(i)), as_before = arrays_of(untouched.layer(i));
    for (std::size_t a = 0; a < changed_arrays; ++a)
      EXPECT_EQ(download(*device_, arrays[a], *stream_), download(*device_, as_before[a], *stream_));
    for (const float value : download(*device_, network.gradients(i)[1], *stream_))
      finite = finite && std::isfinite(value);
  }
  EXPECT_FALSE(finite) << "the gradients that are kept show the overflow";
  communicator_->check();
}

}  // namespace
}  // namespace breakeven
