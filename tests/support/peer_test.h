// SPDX-License-Identifier: Apache-2.0
// Tests of the exchange over memory of other GPUs; skipped on the host device. They also work between ranks
// that share a GPU (BREAKEVEN_TEST_SHARE_GPUS=1).
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "mpi/transports.h"
#include "tests/support/device_under_test.h"
#include "tests/support/exchange_checks.h"
#include "tests/support/mpi_session.h"

namespace breakeven {

class Peer : public testing::Test {
 protected:
  void SetUp() override {
    if (!testing_on_cuda()) GTEST_SKIP() << "needs a GPU";
    device_ = make_test_device();
    communicator_ = make_communicator(Transport::peer, test_session().world(), *device_);
  }

  std::unique_ptr<Device> device_;  // outlives the communicator
  std::unique_ptr<Communicator> communicator_;
};

// Values whose sums depend on the order of the additions.
inline float uneven_value(int rank, std::size_t i) {
  return std::sin(static_cast<float>(i % 9973) + 0.37f * static_cast<float>(rank)) *
         std::exp2(static_cast<float>((i + static_cast<std::size_t>(rank) * 5) % 17));
}

}  // namespace breakeven
