// SPDX-License-Identifier: Apache-2.0
// NCCL between GPUs, at once and out of a graph; skipped on the host device.
#include <gtest/gtest.h>

#include "mpi/transports.h"
#include "tests/support/exchange_checks.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

class Nccl : public testing::Test {
 protected:
  void SetUp() override {
    if (!testing_on_cuda() || sharing_test_gpus()) GTEST_SKIP() << "needs a GPU for each rank";
    device_ = make_test_device();
    communicator_ = make_nccl_communicator(test_session().world(), *device_);
  }

  std::unique_ptr<Device> device_;  // outlives the communicator
  std::unique_ptr<Communicator> communicator_;
};

TEST_F(Nccl, ExchangesExactly) {
  EXPECT_EQ(communicator_->rank(), test_session().rank());
  EXPECT_EQ(communicator_->size(), test_session().size());
  EXPECT_TRUE(communicator_->capturable());
  ExchangeCheck check(*communicator_, *device_);
  for (const std::size_t count : {1, 3, 1000, 100003}) check.all(count);
}

TEST_F(Nccl, ReplaysAGraphWithAnAllReduce) {
  ExchangeCheck check(*communicator_, *device_);
  check.all_reduce(1000);
  for (const std::size_t count : {1, 1000, 100003}) check.replayed_all_reduce(count);
}

// Nothing has been exchanged before the capture: NCCL makes its connections during it.
TEST_F(Nccl, CapturesItsFirstCall) { ExchangeCheck(*communicator_, *device_).replayed_all_reduce(1000); }

TEST_F(Nccl, ReplaysAGraphWithASend) {
  if (test_session().size() < 2) GTEST_SKIP() << "needs two ranks";
  ExchangeCheck(*communicator_, *device_).replayed_send(1000);
}

TEST_F(Nccl, WorksOnEveryGroupOfFirstRanks) {
  for (int ranks = 1; ranks <= test_session().size(); ++ranks) {
    MPI_Comm group = test_session().first_ranks(ranks);
    if (group != MPI_COMM_NULL) {
      const auto communicator = make_nccl_communicator(group, *device_);
      ExchangeCheck(*communicator, *device_).all(1000);
      MPI_Comm_free(&group);
    }
    test_session().sleepy_barrier();
  }
}

TEST_F(Nccl, AgreesWithMpiOnWhatItCounts) {
  const auto mpi = make_mpi_communicator(test_session().world(), *device_);
  ExchangeCheck(*communicator_, *device_).all(100);
  ExchangeCheck(*mpi, *device_).all(100);
  EXPECT_EQ(communicator_->traffic().calls, mpi->traffic().calls);
  EXPECT_EQ(communicator_->traffic().bytes, mpi->traffic().bytes);
}

TEST_F(Nccl, SaysItsVersion) { EXPECT_EQ(nccl_version().find("2."), 0u); }

}  // namespace
}  // namespace breakeven
