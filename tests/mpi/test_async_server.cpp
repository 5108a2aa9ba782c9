// SPDX-License-Identifier: Apache-2.0
// What can be said of a strategy whose numbers depend on who comes first: every update is made once, the same
// updates in the same order give the same, and one rank by itself is the single device.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "src/measure/run_case.h"
#include "src/verify/random_verdict.h"
#include "src/verify/stable_rate.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

class AsyncServer : public TrainingTest {
 protected:
  AsyncServer() { what.strategy = "async-server"; }
};

TEST_F(AsyncServer, WithOneRankEqualsTheSingleDeviceInEveryPrecision) {
  if (!test_session().is_root()) return;
  what.gpus = 1;
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    what.precision = info.precision;
    const verify::Verdict verdict = verdict_of(what);
    EXPECT_GE(verdict.checks.size(), 8u);
    for (const verify::Check& check : verdict.checks)
      EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
  }
}

TEST_F(AsyncServer, EqualsItsUpdatesInOrder) {
  options.steps = 150;
  options.learning_rate = 3e-3f;
  for (const DataPlacement data : {DataPlacement::resident, DataPlacement::streamed}) {
    what.data = data;
    const verify::Verdict verdict = verdict_of(what);
    EXPECT_TRUE(check_named(verify::weights_checks::counted, verdict).passed());
    for (const verify::Check& check : verdict.checks)
      EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
  }
}

TEST_F(AsyncServer, AnUncountedUpdateOrStuckLossIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank is held against the single device";
  options.steps = 150;
  options.learning_rate = 3e-3f;
  verify::Trajectory trajectory = verify::train(what, bench);
  const verify::References references = references_of(what, trajectory.served);
  trajectory.updates_uncounted = 1;
  EXPECT_FALSE(verify::compare(what, references, trajectory, test_session().world()).passed());
  trajectory.updates_uncounted = std::nan("");
  EXPECT_FALSE(verify::compare(what, references, trajectory, test_session().world()).passed());
  trajectory.updates_uncounted = 0;
  std::ranges::fill(trajectory.losses, trajectory.losses.front());
  EXPECT_FALSE(verify::compare(what, references, trajectory, test_session().world()).passed());
}

// On one rank alone: an update of another size, of another rank's rows, by other masks, or none.
TEST_F(AsyncServer, AWrongUpdateOfOneRankIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank is held against the single device";
  options.steps = 150;
  options.learning_rate = 3e-3f;
  const std::vector<std::function<void(MlpSettings&)>> faults{
      [](MlpSettings& settings) { settings.adam.learning_rate *= 1.01f; },
      [](MlpSettings& settings) { settings.first_sample = 0; },
      [](MlpSettings& settings) { settings.seed += 1; },
      [](MlpSettings& settings) { settings.adam.learning_rate = 0; }};
  for (std::size_t fault = 0; fault < faults.size(); ++fault) {
    SCOPED_TRACE(fault);
    MlpSettings settings = bench.settings_for(what, verify::all_steps(bench));
    if (test_session().rank() == what.gpus - 1) faults[fault](settings);
    const verify::Trajectory trajectory = verify::train(
        what, bench, strategy_of_case(what), bench.communicator(what.transport.value(), what.gpus), settings);
    const verify::References references = references_of(what, trajectory.served);
    const verify::Verdict verdict = verify::compare(what, references, trajectory, test_session().world());
    EXPECT_TRUE(check_named(verify::weights_checks::counted, verdict).passed());
    EXPECT_FALSE(verdict.passed());
  }
}

// If two updates share a number, or one has none, the run cannot be repeated in the same order.
TEST_F(AsyncServer, AnInvalidOrderIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank is held against the single device";
  const verify::Trajectory trajectory = verify::train(what, bench);
  verify::ServedOrder order = trajectory.served;
  ASSERT_EQ(order.size(), static_cast<std::size_t>(what.gpus));
  order.back().back().update.pushed = order.front().front().update.pushed;
  const verify::Verdict verdict =
      verify::compare(what, references_of(what, order), trajectory, test_session().world());
  EXPECT_FALSE(check_named("mean of the last ten losses, difference", verdict).passed());
}

// A late read that misses a step's updates which had arrived, has them twice, or is from nowhere.
TEST_F(AsyncServer, AReadThatWasNeverServedIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank is held against the single device";
  const verify::Trajectory trajectory = verify::train(what, bench);
  const auto read_passes = [&](const std::function<void(std::vector<float>&)>& fault) {
    verify::ServedOrder order = trajectory.served;
    if (test_session().is_root()) fault(order.back().back().read);
    const verify::Verdict verdict =
        verify::compare(what, references_of(what, order), trajectory, test_session().world());
    return check_named("parameters read, relative distance from those served", verdict).passed();
  };
  const auto add_a_step = [&](std::vector<float>& read, float sign) {
    const std::vector<float>&before = trajectory.served.back()[1].read,
          &after = trajectory.served.back()[2].read;
    for (std::size_t i = 0; i < read.size(); ++i) read[i] += sign * (after[i] - before[i]);
  };
  EXPECT_TRUE(read_passes([](std::vector<float>&) {}));
  EXPECT_FALSE(read_passes([&](std::vector<float>& read) { add_a_step(read, -1); }));
  EXPECT_FALSE(read_passes([&](std::vector<float>& read) { add_a_step(read, 1); }));
  EXPECT_FALSE(read_passes([](std::vector<float>& read) { read.front() += 1; }));
}

TEST_F(AsyncServer, RecordsTheStalenessOfEveryUpdate) {
  what.timing = Timing::phases;
  const RunRecord record = measure::run_case(what, bench);
  const double steps = options.warmup + options.steps;
  for (const double late : record.staleness) {
    EXPECT_GE(late, 0);
    EXPECT_LE(late, (what.gpus - 1) * steps);
    EXPECT_EQ(late, std::floor(late));
  }
  EXPECT_EQ(record.exchange_calls, 2);
  const double floats = static_cast<double>(ParameterLayout(bench.settings_for(what, 20).shape).floats());
  EXPECT_EQ(record.exchange_bytes, 2 * floats * sizeof(float));
  EXPECT_EQ(record.at(0, Phase::wait), 0);
}

TEST_F(AsyncServer, OneRankHasNoStaleness) {
  const RunRecord of_ddp = measure::run_case(what = ddp_case(*device), bench);
  EXPECT_TRUE(std::isnan(of_ddp.staleness.front()));
  if (what.gpus != 1) return;
  what.strategy = "async-server";
  for (const double late : measure::run_case(what, bench).staleness) EXPECT_EQ(late, 0);
}

// At the first rate its losses are infinite after a few steps.
TEST_F(AsyncServer, IsVerifiedAtARateThatDoesNotDiverge) {
  what.model = "48-1-640-320-1";
  what.batch = 4 * static_cast<std::uint32_t>(what.gpus);
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.02f;
  options.warmup = 2;
  options.steps = 10;
  EXPECT_FALSE(verify::verify_twice(what, bench).passed() && test_session().is_root());
  options.learning_rate = verify::stable_learning_rate(what, bench);
  EXPECT_LT(options.learning_rate, 1e-3f);
  EXPECT_GT(options.learning_rate, 1e-9f);
  for (const verify::Check& check : verify::verify_twice(what, bench).checks)
    EXPECT_TRUE(check.passed()) << check.what << ": " << check.value << " at " << options.learning_rate;

  what.model = "37-31-19";
  options.learning_rate = 1e-3f;
  EXPECT_FLOAT_EQ(verify::stable_learning_rate(what, bench), 1e-3f);
}

}  // namespace
}  // namespace breakeven
