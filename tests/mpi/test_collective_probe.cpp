// SPDX-License-Identifier: Apache-2.0
// The exchange's measurement: every call moves what it should, a wrong one is noticed, and all ranks get the
// same seconds.
#include "mpi/collective_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mpi/mpi_call.h"
#include "tests/support/faulty_communicator.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

class CollectiveProbeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() < 2) GTEST_SKIP() << "one rank exchanges nothing";
    device = make_test_device();
    communicator = testing_on_cuda() ? make_nccl_communicator(test_session().world(), *device)
                                     : make_mpi_communicator(test_session().world(), *device);
  }
  static int world_size() { return test_session().size(); }
  CollectiveProbe probe_of(Communicator& by, bool in_graph = false) {
    return CollectiveProbe(*device, by, test_session().world(), in_graph);
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Communicator> communicator;
};

constexpr std::array sizes{std::uint64_t{4}, std::uint64_t{64}, std::uint64_t{100000}};

TEST_F(CollectiveProbeTest, EveryKindMovesTheRightData) {
  CollectiveProbe probe = probe_of(*communicator);
  for (std::size_t kind = 0; kind < collective_names.size(); ++kind) {
    for (const std::uint64_t bytes : sizes)
      EXPECT_EQ(probe.wrong_values(static_cast<Collective>(kind), bytes), 0u)
          << collective_names[kind] << " of " << bytes;
  }
}

TEST_F(CollectiveProbeTest, AWrongSumIsCountedOnAllRanks) {
  FaultyCommunicator doubled(*communicator, *device, {.factor = 2});
  // Of 1000 values the places 0 alone are 0 on rank 0 and something on the others; all sums are above 0.
  EXPECT_EQ(probe_of(doubled).wrong_values(Collective::all_reduce, 4000),
            1000u * static_cast<unsigned>(world_size()));
  FaultyCommunicator silent(*communicator, *device, {.skips = [](int) { return true; }});
  EXPECT_GE(probe_of(silent).wrong_values(Collective::all_reduce, 4000), 900u);
}

TEST_F(CollectiveProbeTest, AllRanksHaveTheSameSeconds) {
  for (const bool in_graph : {false, true}) {
    CollectiveProbe probe = probe_of(*communicator, in_graph);
    EXPECT_EQ(probe.in_graph(), in_graph && communicator->capturable());
    for (std::size_t kind = 0; kind < collective_names.size(); ++kind) {
      const double mine = probe.seconds(static_cast<Collective>(kind), 4096);
      EXPECT_GT(mine, 0) << collective_names[kind];
      EXPECT_TRUE(mine <= 1) << collective_names[kind];
      double of_root = mine;
      MPI_CALL(MPI_Bcast(&of_root, 1, MPI_DOUBLE, 0, test_session().world()));
      EXPECT_EQ(mine, of_root) << collective_names[kind];
    }
  }
}

TEST_F(CollectiveProbeTest, SizesEndAtTheLargest) {
  const auto seconds = probe_of(*communicator).seconds_of_all_sizes(Collective::all_reduce, 256);
  for (std::size_t place = 0; place < message_sizes; ++place) {
    const bool is_asked_for = message_size(place) <= 256;
    if (is_asked_for && place > 0 && !(seconds[place - 1] <= CollectiveProbe::slow_call_seconds)) break;
    EXPECT_EQ(std::isfinite(seconds[place]), is_asked_for) << place;
  }
  EXPECT_EQ(message_size(message_sizes - 1), std::uint64_t{256} << 20);
}

}  // namespace
}  // namespace breakeven
