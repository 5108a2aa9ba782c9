// SPDX-License-Identifier: Apache-2.0
// Training that ends at a quality: on all ranks at the same step, with the numbers of training that goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mpi/mpi_call.h"
#include "src/measure/quality_watch.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

measure::RunOptions options_until(const QualityTarget& target) {
  measure::RunOptions options = measure::run_defaults();
  options.warmup = 5;
  options.steps = 203;
  options.samples = 480;
  options.learning_rate = 3e-3f;
  options.until = target;
  options.eval_every = 25;
  options.smooth = 10;
  return options;
}

class QualityTest : public testing::Test {
 protected:
  QualityTest() : device(make_test_device()), what(ddp_case(*device)) {}

  RunRecord run(const measure::RunOptions& options, std::uint32_t repeat = 0) {
    measure::RunContext bench(test_session(), *device, options, nullptr);
    return measure::run_case(what, bench, repeat);
  }

  std::unique_ptr<Device> device;
  Case what;
};

// Of the whole batch, of all measured steps.
std::vector<double> whole_losses(RunRecord record) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, record.loss.data(), static_cast<int>(record.loss.size()), MPI_DOUBLE,
                         MPI_SUM, test_session().world()));
  return record.loss;
}

double mean_before(const std::vector<double>& losses, std::uint32_t step, std::uint32_t count) {
  double sum = 0;
  for (std::uint32_t i = step - count; i < step; ++i) sum += losses[i];
  return sum / count;
}

TEST_F(QualityTest, TrainingEndsAtTheLossAndIsNotChangedByEvaluations) {
  measure::RunOptions options = options_until({QualityMeasure::loss, 0});
  options.until.reset();
  const RunRecord whole = run(options);
  EXPECT_EQ(whole.steps_made, 203);
  EXPECT_TRUE(std::isnan(whole.steps_to_quality));
  EXPECT_TRUE(std::isnan(whole.eval_seconds));
  const std::vector<double> losses = whole_losses(whole);

  // Step 110 of the measured ones, if no mean before it was as low.
  options = options_until({QualityMeasure::loss, mean_before(losses, 110, 10) * (1 + 1e-9)});
  std::uint32_t expected = 10;
  while (!(mean_before(losses, expected, 10) <= options.until->value)) ++expected;
  const RunRecord record = run(options);
  EXPECT_EQ(record.steps_to_quality, options.warmup + expected);
  EXPECT_EQ(record.steps_made, (expected + 24) / 25 * 25);
  EXPECT_GT(record.eval_seconds, 0);
  double seconds = 0;
  for (std::uint32_t step = 0; step < record.steps; ++step) {
    const bool made = step < record.steps_made;
    EXPECT_EQ(std::isnan(record.at(step, Phase::step)), !made) << step;
    EXPECT_EQ(std::isnan(record.host_seconds[step]), !made) << step;
    EXPECT_EQ(std::isnan(record.loss[step]), !made) << step;
    EXPECT_EQ(std::isnan(record.start_seconds[step]), !made) << step;
    if (!made) continue;
    EXPECT_EQ(record.loss[step], whole.loss[step]) << step;
    seconds += record.at(step, Phase::step);
  }
  // CUDA rounds each time between two events to a float: half an epsilon for the steps, another for the
  // whole.
  EXPECT_NEAR(seconds, record.steps_device_seconds, 1e-9 + seconds * std::numeric_limits<float>::epsilon());
  EXPECT_GE(record.steps_host_seconds, 0.5 * seconds);
}

// Within a stretch one step begins where the other ends, but for the device's drift; a look stands between
// two stretches.
TEST_F(QualityTest, StepsBeginOneAfterAnother) {
  const RunRecord record = run(options_until({QualityMeasure::loss, 1e-30}));
  ASSERT_EQ(record.steps_made, 203);
  EXPECT_GT(record.start_seconds[0], 0);
  for (std::uint32_t step = 1; step < 203; ++step) {
    const double seconds = record.at(step - 1, Phase::step);
    const double between = record.start_seconds[step] - record.start_seconds[step - 1];
    if (step % 25 == 0) {
      EXPECT_GT(between, seconds) << step;
    } else {
      EXPECT_NEAR(between, seconds, 1e-3 * seconds + 1e-9) << step;
    }
  }
  EXPECT_GT(record.start_uncertainty_seconds, 0);
  EXPECT_LT(record.start_uncertainty_seconds, 0.1);
}

TEST_F(QualityTest, WithoutReachingItAllStepsAreMade) {
  const RunRecord record = run(options_until({QualityMeasure::loss, 1e-30}));
  EXPECT_EQ(record.steps_made, 203);
  EXPECT_TRUE(std::isnan(record.steps_to_quality));
  EXPECT_FALSE(std::isnan(record.at(202, Phase::step)));
  EXPECT_GT(record.eval_seconds, 0);
}

TEST_F(QualityTest, CanBeReachedDuringTheWarmUp) {
  measure::RunOptions options = options_until({QualityMeasure::loss, 1e30});
  options.smooth = 3;
  const RunRecord record = run(options);
  EXPECT_EQ(record.steps_to_quality, 3);
  EXPECT_EQ(record.steps_made, 25);
}

TEST_F(QualityTest, RepeatsHaveTheirOwnSeeds) {
  const measure::RunOptions options = options_until({QualityMeasure::loss, 1e30});
  EXPECT_EQ(run(options, 1).loss[0], run(options, 1).loss[0]);
  EXPECT_NE(run(options, 1).loss[0], run(options, 0).loss[0]);
}

TEST_F(QualityTest, PhasesAddUpInEveryStretch) {
  what.timing = Timing::phases;
  const RunRecord record = run(options_until({QualityMeasure::loss, 1e-30}));
  for (const std::uint32_t step : {0u, 24u, 25u, 199u, 200u, 202u}) {
    double sum = 0;
    for (const PhaseInfo& info : phases) sum += info.phase == Phase::step ? 0 : record.at(step, info.phase);
    EXPECT_NEAR(sum, record.at(step, Phase::step), 1e-9) << step;
  }
  EXPECT_GT(record.busy_fraction, 0);
}

// Launches of 20 steps do not divide a stretch of 25, nor the 3 steps that are left at the end.
TEST_F(QualityTest, LaunchesOfSeveralStepsEndWithTheStretch) {
  if (!test_session().is_root()) return;
  what.gpus = 1;
  what.strategy = "single";
  what.transport = Transport::none;
  for (const bool graph : {false, true}) {
    what.graph = graph;
    measure::RunOptions options = options_until({QualityMeasure::loss, 1e-30});
    const RunRecord record = run(options);
    EXPECT_EQ(record.steps_a_launch, train::most_steps_a_launch);
    options.until.reset();
    const RunRecord whole = run(options);
    for (std::uint32_t step = 0; step < record.steps; ++step) {
      EXPECT_EQ(record.loss[step], whole.loss[step]) << step;
      EXPECT_GT(record.at(step, Phase::step), 0) << step;
    }
  }
}

TEST_F(QualityTest, StreamedDataContinueAfterAnEvaluation) {
  const RunRecord resident = run(options_until({QualityMeasure::loss, 1e-30}));
  what.data = DataPlacement::streamed;
  const RunRecord streamed = run(options_until({QualityMeasure::loss, 1e-30}));
  EXPECT_EQ(streamed.loss, resident.loss);
}

}  // namespace
}  // namespace breakeven
