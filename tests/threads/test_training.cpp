// SPDX-License-Identifier: Apache-2.0
// Short trainings on all ranks, for the thread sanitizer: every kind of exchange once. Other tests check the
// numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mpi/communicator.h"
#include "src/core/strategy/case_strategy.h"
#include "src/data/dataset.h"
#include "src/train/training.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

constexpr std::uint32_t steps = 20;

class ThreadsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Training, ThreadsTest,
                         testing::Values("ddp", "ddp:buckets=1kB", "ddp:compress=onebit", "parameter-server",
                                         "zero2", "fsdp", "tensor", "pipeline", "local-sgd", "async-server"));

TEST_P(ThreadsTest, EveryLossIsANumber) {
  const auto device = make_test_device();
  const auto communicator = make_mpi_communicator(test_session().world(), *device);
  const Case what{.model = "37-31-19-5",
                  .batch = 24,
                  .gpus = test_session().size(),
                  .strategy = GetParam(),
                  .precision = Precision::fp32,
                  .gemm = device->gemm_kernels(Precision::fp32).front(),
                  .transport = Transport::mpi,
                  .scaling = Scaling::strong};
  MlpSettings settings = mlp_of_case(what, test_session().rank());
  settings.gemm = what.gemm.value();
  settings.total_steps = steps;
  const data::Dataset dataset(*device, settings.shape, 500, settings.seed, DataPlacement::resident);
  train::Training training(*device, strategy_of_case(what), communicator.get(), dataset, settings);
  for (std::uint32_t step = 0; step < steps; ++step) training.launch(1, {});
  for (const float loss : training.loss_shares(0, steps)) EXPECT_TRUE(std::isfinite(loss));
}

}  // namespace
}  // namespace breakeven
