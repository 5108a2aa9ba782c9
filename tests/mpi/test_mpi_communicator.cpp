// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_communicator.h"

#include <gtest/gtest.h>

#include "tests/support/exchange_checks.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

constexpr std::size_t whole = std::size_t{1} << 24;

// Runs `body` with every group of first ranks; the others wait asleep.
template <typename Body>
void for_each_group(Body body) {
  for (int ranks = 1; ranks <= test_session().size(); ++ranks) {
    MPI_Comm group = test_session().first_ranks(ranks);
    if (group != MPI_COMM_NULL) {
      body(group);
      MPI_Comm_free(&group);
    }
    test_session().sleepy_barrier();
  }
}

TEST(MpiCommunicator, ExchangesExactlyOnEveryGroup) {
  const auto device = make_test_device();
  for_each_group([&](MPI_Comm group) {
    const auto communicator = make_mpi_communicator(group, *device);
    ExchangeCheck check(*communicator, *device);
    for (const std::size_t count : {1, 3, 1000, 100003}) check.all(count);
  });
}

// Every device can be staged; on a host that is the path of the GPUs without a GPU.
TEST(MpiCommunicator, ExchangesExactlyThroughPinnedMemory) {
  const auto device = make_test_device();
  for_each_group([&](MPI_Comm group) {
    MpiCommunicator communicator(group, *device, MpiPath::staged, whole);
    ExchangeCheck check(communicator, *device);
    for (const std::size_t count : {1, 1000, 3, 100003}) check.all(count);
  });
}

// Pieces that do not divide the count, pieces of one float, and pieces smaller than the number of ranks.
TEST(MpiCommunicator, ExchangesExactlyInPieces) {
  const auto device = make_test_device();
  for (const std::size_t piece : {1, 2, 7, 64}) {
    MpiCommunicator staged(test_session().world(), *device, MpiPath::staged, piece);
    for (const std::size_t count : {1, 7, 65, 300}) ExchangeCheck(staged, *device).all(count);
    if (testing_on_cuda()) continue;
    MpiCommunicator direct(test_session().world(), *device, MpiPath::direct, piece);
    for (const std::size_t count : {1, 7, 65, 300}) ExchangeCheck(direct, *device).all(count);
  }
}

TEST(MpiCommunicator, CountsCallsAndTheBytesTheyWorkOn) {
  const auto device = make_test_device();
  const auto stream = device->make_stream();
  const auto communicator = make_mpi_communicator(test_session().world(), *device);
  const auto ranks = static_cast<std::size_t>(communicator->size());
  const DeviceFloats floats(*device, *stream, std::vector<float>(10 * ranks, 1.0f));
  EXPECT_EQ(communicator->traffic().calls, 0u);
  EXPECT_EQ(communicator->traffic().bytes, 0u);

  communicator->all_reduce_sum(floats.data(), 10, *stream);
  communicator->broadcast(floats.data(), 5, 0, *stream);
  communicator->reduce_scatter_sum(floats.data(), 10, *stream);
  communicator->all_reduce_sum(floats.data(), 7, Dtype::bf16, *stream);

  EXPECT_EQ(communicator->traffic().calls, 4u);
  EXPECT_EQ(communicator->traffic().bytes, 4 * (10 + 5 + 10 * ranks) + 2 * 7);
}

// Even ranks and odd ones exchange among themselves; what they do counts as the whole's.
TEST(MpiCommunicator, ItsPartsExchangeExactlyAndAreCounted) {
  const auto device = make_test_device();
  const auto communicator = make_mpi_communicator(test_session().world(), *device);
  Communicator& part = communicator->part("parity", communicator->rank() % 2);
  EXPECT_EQ(&communicator->part("parity", communicator->rank() % 2), &part);
  EXPECT_EQ(part.rank(), communicator->rank() / 2);
  EXPECT_EQ(part.size(), (communicator->size() + 1 - communicator->rank() % 2) / 2);
  for (const std::size_t count : {1, 1000}) ExchangeCheck(part, *device).all(count);
  EXPECT_EQ(communicator->traffic().calls, part.traffic().calls);
  EXPECT_EQ(communicator->traffic().bytes, part.traffic().bytes);
  EXPECT_GT(part.traffic().calls, 0u);
}

TEST(MpiCommunicator, TakesPartInAGraphOfTheHost) {
  const auto device = make_test_device();
  const auto communicator = make_mpi_communicator(test_session().world(), *device);
  EXPECT_EQ(communicator->capturable(), !testing_on_cuda());
  if (!communicator->capturable()) return;
  ExchangeCheck(*communicator, *device).replayed_all_reduce(1000);
}

TEST(MpiCommunicator, SumsToTheSameBitsEveryTime) {
  const auto device = make_test_device();
  const auto stream = device->make_stream();
  const auto communicator = make_mpi_communicator(test_session().world(), *device);
  std::vector<float> values(20011);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1.0f / (1.0f + exchange_value(communicator->rank(), i));
  }
  const auto sums = [&] {
    const DeviceFloats floats(*device, *stream, values);
    communicator->all_reduce_sum(floats.data(), values.size(), *stream);
    return floats.read();
  };
  const std::vector<float> first = sums();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sums(), first);
}

}  // namespace
}  // namespace breakeven
