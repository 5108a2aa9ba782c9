// SPDX-License-Identifier: Apache-2.0
// The exchange over memory of other GPUs, at once and out of a graph.
#include "kernels/host/dtype.h"
#include "tests/support/peer_test.h"

namespace breakeven {
namespace {

TEST_F(Peer, ExchangesExactly) {
  EXPECT_EQ(communicator_->rank(), test_session().rank());
  EXPECT_EQ(communicator_->size(), test_session().size());
  EXPECT_TRUE(communicator_->capturable());
  ExchangeCheck check(*communicator_, *device_);
  for (const std::size_t count : {1, 3, 1000, 100003}) check.all(count);
}

// More than the staging memory and a mailbox hold, and not a multiple of four.
TEST_F(Peer, ExchangesExactlyInPieces) {
  ExchangeCheck check(*communicator_, *device_);
  check.all_reduce(9'000'003);
  check.reduce_scatter(4'500'001);
  check.all_gather(4'500'001);
  check.broadcast(9'000'003, communicator_->size() - 1);
  if (communicator_->size() > 1) check.send_and_receive(1'300'001, 0, 1);
  communicator_->check();
}

// The same bits on every rank as a plain loop over the ranks.
TEST_F(Peer, AddsInRankOrder) {
  const auto stream = device_->make_stream();
  for (const std::size_t count : {1001, 300000}) {
    std::vector<float> mine(count), sums(count, 0.0f);
    for (std::size_t i = 0; i < count; ++i) mine[i] = uneven_value(communicator_->rank(), i);
    for (int rank = 0; rank < communicator_->size(); ++rank) {
      for (std::size_t i = 0; i < count; ++i) sums[i] += uneven_value(rank, i);
    }
    const DeviceFloats floats(*device_, *stream, mine);
    communicator_->all_reduce_sum(floats.data(), count, *stream);
    EXPECT_EQ(floats.read(), sums) << count;
  }
}

TEST_F(Peer, RoundsSixteenBitsAtEveryAddition) {
  const auto stream = device_->make_stream();
  constexpr std::size_t count = 200001;
  const auto half_of = [](int rank, std::size_t i) { return from_float<Bf16>(uneven_value(rank, i)); };
  std::vector<float> mine(count), sums(count);
  for (std::size_t i = 0; i < count; ++i) {
    mine[i] = to_float(half_of(communicator_->rank(), i));
    Bf16 sum = half_of(0, i);
    for (int rank = 1; rank < communicator_->size(); ++rank)
      sum = from_float<Bf16>(to_float(sum) + to_float(half_of(rank, i)));
    sums[i] = to_float(sum);
  }
  const DeviceFloats floats(*device_, *stream, mine);
  const DeviceFloats halves(*device_, *stream, std::vector<float>((count + 1) / 2));
  device_->convert(count, floats.data(), halves.data(), Dtype::bf16, *stream);
  communicator_->all_reduce_sum(halves.data(), count, Dtype::bf16, *stream);
  device_->widen(count, halves.data(), Dtype::bf16, floats.data(), *stream);
  EXPECT_EQ(floats.read(), sums);
}

TEST_F(Peer, ReplaysAGraphWithAnAllReduce) {
  ExchangeCheck check(*communicator_, *device_);
  for (const std::size_t count : {1, 1000, 100003}) check.replayed_all_reduce(count);
}

TEST_F(Peer, ReplaysAGraphWithASend) {
  if (test_session().size() < 2) GTEST_SKIP() << "needs two ranks";
  ExchangeCheck(*communicator_, *device_).replayed_send(1000);
}

// Every replay has other values, so a word of another replay would show.
class PeerReplays : public Peer {
 protected:
  // `sum` makes values the sums over all ranks.
  template <typename Sum>
  void expect_right_ten_thousand_times(std::size_t count, const Sum& sum) {
    constexpr int replays = 10'000;
    const auto stream = device_->make_stream();
    const DeviceFloats values(*device_, *stream, std::vector<float>(count, 0.0f));
    const int ranks = communicator_->size();
    const auto own = static_cast<float>(2 * communicator_->rank() + 1);  // their mean is the number of ranks
    const DeviceFloats added(*device_, *stream, std::vector<float>(count, own));
    const auto graph = device_->capture(
        [&](std::span<Event* const>) {
          device_->add(count, added.data(), values.data(), *stream);
          sum(values.data(), *stream);
          device_->scale(count, 1.0 / ranks, values.data(), *stream);
        },
        {}, *stream);
    for (int i = 0; i < replays; ++i) graph->launch({}, *stream);
    EXPECT_EQ(values.read(), std::vector<float>(count, static_cast<float>(replays * ranks)));
    communicator_->check();
  }
};

TEST_F(PeerReplays, AllReduce) {
  for (const std::size_t count : {7, 20'001, 70'003}) {
    expect_right_ten_thousand_times(
        count, [&](float* values, Stream& stream) { communicator_->all_reduce_sum(values, count, stream); });
  }
}

TEST_F(PeerReplays, ReduceScatterAndAllGather) {
  for (const std::size_t share : {3, 20'001}) {
    const std::size_t count = share * static_cast<std::size_t>(communicator_->size());
    expect_right_ten_thousand_times(count, [&](float* values, Stream& stream) {
      communicator_->reduce_scatter_sum(values, share, stream);
      communicator_->all_gather(values, share, stream);
    });
  }
}

// A word that holds -0 is one that has not arrived: in 16 bits +0 followed by -0.
TEST_F(Peer, SendsMinusZero) {
  const auto stream = device_->make_stream();
  for (const int minus_every : {1, 2}) {
    std::vector<float> values(1001, 0.0f);
    for (std::size_t i = 0; i < values.size(); ++i)
      if ((i + 1) % static_cast<std::size_t>(minus_every) == 0) values[i] = -0.0f;
    const DeviceFloats floats(*device_, *stream, values);
    communicator_->all_reduce_sum(floats.data(), values.size(), *stream);
    EXPECT_EQ(floats.read(), std::vector<float>(values.size(), 0.0f));
    const DeviceFloats halves(*device_, *stream, std::vector<float>(501));
    for (const Dtype dtype : {Dtype::bf16, Dtype::fp16}) {
      const DeviceFloats minus(*device_, *stream, values);
      device_->convert(values.size(), minus.data(), halves.data(), dtype, *stream);
      communicator_->all_reduce_sum(halves.data(), values.size(), dtype, *stream);
      device_->widen(values.size(), halves.data(), dtype, minus.data(), *stream);
      EXPECT_EQ(minus.read(), std::vector<float>(values.size(), 0.0f));
    }
  }
}

// Large and small exchanges in turn use the same memory with different numbers of blocks.
TEST_F(Peer, StaysRightOverManyExchanges) {
  ExchangeCheck check(*communicator_, *device_);
  for (int i = 0; i < 40; ++i) {
    for (const std::size_t count : {100003, 1, 2000, 70000}) check.all_reduce(count);
    if (communicator_->size() > 1)
      check.send_and_receive(static_cast<std::size_t>(1 + i * 977), i % 2, 1 - i % 2);
  }
  communicator_->check();
}

TEST_F(Peer, WorksOnEveryGroupOfFirstRanks) {
  for (int ranks = 1; ranks <= test_session().size(); ++ranks) {
    MPI_Comm group = test_session().first_ranks(ranks);
    if (group != MPI_COMM_NULL) {
      const auto communicator = make_communicator(Transport::peer, group, *device_);
      ExchangeCheck(*communicator, *device_).all(1000);
      const int colour = communicator->rank() % 2;
      Communicator& part = communicator->part("every second rank", colour);
      ExchangeCheck(part, *device_).all_reduce(1000);
    }
    if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
    test_session().sleepy_barrier();
  }
}

TEST_F(Peer, AgreesWithMpiOnWhatItCounts) {
  const auto mpi = make_mpi_communicator(test_session().world(), *device_);
  ExchangeCheck(*communicator_, *device_).all(100);
  ExchangeCheck(*mpi, *device_).all(100);
  EXPECT_EQ(communicator_->traffic().calls, mpi->traffic().calls);
  EXPECT_EQ(communicator_->traffic().bytes, mpi->traffic().bytes);
}

}  // namespace
}  // namespace breakeven
