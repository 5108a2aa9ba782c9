// SPDX-License-Identifier: Apache-2.0
// Lossy strategies compute what their serial definitions say.
#include <gtest/gtest.h>

#include "src/measure/run_case.h"
#include "src/verify/plain_descent.h"
#include "src/verify/serial_definition.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

class Lossy : public TrainingTest, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(
    Training, Lossy,
    testing::Values("stale", "local-sgd", "local-sgd:period=1", "local-sgd:period=3",
                    "local-sgd:period=3:outer=nesterov",
                    "local-sgd:period=2:outer=nesterov:outer-momentum=0.5:outer-rate=1"));

TEST_P(Lossy, EqualsItsSerialDefinitionInEveryPrecision) {
  what.strategy = GetParam();
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    what.precision = info.precision;
    expect_all_passed(what, verdict_of(what));
  }
}

TEST_P(Lossy, IsTheSameInAGraphAndWithStreamedData) {
  what.strategy = GetParam();
  what.graph = true;
  what.data = DataPlacement::streamed;
  expect_all_passed(what, verdict_of(what));
}

TEST_P(Lossy, IsTheSameWithSgd) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  what.strategy = GetParam();
  expect_all_passed(what, verdict_of(what));
}

// Every average rounds the weights, by about 2^-24 of them. An average in which the ranks' roundings add up,
// or whose rounding the outer momentum amplifies, moves them further.
TEST_P(Lossy, RoundsLikeItsSerialDefinition) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = verify::plain_descent_rate;
  options.steps = 97;
  what.strategy = GetParam();
  const verify::Trajectory trajectory = verify::train(what, bench);
  if (!test_session().is_root()) return;
  const StrategyChoice& strategy = strategy_of_case(what);
  const verify::Trajectory expected = verify::serial_definition_of(strategy)(what, bench, {});
  EXPECT_LE(verify::relative_frobenius(expected.parameters, trajectory.parameters), 0x1p-24 * std::sqrt(100));
}

TEST_P(Lossy, LowersTheLoss) {
  options.steps = 300;
  options.learning_rate = 3e-3f;
  what.strategy = GetParam();
  const verify::Trajectory trajectory = verify::train(what, bench);
  EXPECT_LT(trajectory.losses.back(), 0.7 * trajectory.losses.front());
}

// On one rank the average is the rank's own model, and its batch is the global batch.
TEST_F(TrainingTest, LocalSgdOfOneRankIsTheSingleDevice) {
  if (!test_session().is_root()) return;
  what.gpus = 1;
  what.strategy = "local-sgd:period=3";
  if (testing_on_cuda())
    what.gemm = GemmKernel::tiled;  // with `tuned` the single device uses the kernels for small networks
  EXPECT_EQ(verify::train(what, bench).parameters,
            verify::train(verify::single_device_case(what), bench).parameters);
}

TEST_F(TrainingTest, LocalSgdExchangesItsParametersOncePerPeriod) {
  what.strategy = "local-sgd:period=4";
  const RunRecord record = measure::run_case(what, bench);
  const double floats = static_cast<double>(ParameterLayout(bench.settings_for(what, 20).shape).floats());
  EXPECT_EQ(record.exchange_calls, 1 / 4.0);
  EXPECT_EQ(record.exchange_bytes, floats * sizeof(float) / 4);
}

TEST_F(TrainingTest, StaleExchangesWhatDdpDoes) {
  what.strategy = "stale";
  what.timing = Timing::phases;
  const RunRecord record = measure::run_case(what, bench);
  const double floats = static_cast<double>(ParameterLayout(bench.settings_for(what, 20).shape).floats());
  EXPECT_EQ(record.exchange_calls, 1);
  EXPECT_EQ(record.exchange_bytes, floats * sizeof(float));
  EXPECT_GE(record.at(0, Phase::exchange), 0);
}

// The new gradients overflow at first, when there are none to apply yet.
TEST_F(TrainingTest, StaleSkipsTheStepWhoseGradientsOverflowed) {
  what.strategy = "stale";
  expect_overflow_skips_the_step_on_all(1);
}

}  // namespace
}  // namespace breakeven
