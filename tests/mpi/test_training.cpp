// SPDX-License-Identifier: Apache-2.0
// Training on any number of ranks is the single device's: by every way to feed and launch it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/synthetic.h"
#include "src/measure/run_case.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

// The same features, and the unit that is largest of the first five as the class; the last 60 are for tests.
data::DatasetFile with_classes() {
  const auto table_of = [](std::uint32_t first, std::uint32_t samples) {
    data::SampleTable table{samples, 37, 1, std::vector<float>(samples * padded_width(37)),
                            std::vector<float>(samples * padded_width(1))};
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      float* const features = table.features.data() + sample * padded_width(37);
      for (std::uint32_t unit = 0; unit < table.inputs; ++unit)
        features[unit] = synthetic_feature(42, first + sample, unit);
      const auto largest = std::max_element(features, features + 5) - features;
      table.targets[sample * static_cast<std::size_t>(padded_width(1))] = static_cast<float>(largest);
    }
    return table;
  };
  return {table_of(0, 440), table_of(440, 60), LossKind::softmax_cross_entropy, 5};
}

TEST_F(TrainingTest, EveryStrategyEqualsTheSingleDeviceInEveryPrecision) {
  for (const char* strategy :
       {"ddp", "ddp:buckets=4kB:first-bucket=1kB", "parameter-server", "zero1", "zero1:buckets=4kB", "zero2",
        "zero2:buckets=4kB", "fsdp", "parameter-server:clip=0.1", "zero1:clip=0.1"}) {
    what.strategy = strategy;
    for (const PrecisionInfo& info : precisions) {
      SCOPED_TRACE(testing::Message() << strategy << " " << info.name);
      what.precision = info.precision;
      expect_all_passed(what, verdict_of(what));
    }
  }
}

// Its update is fused into its products, and the serial definition's is not.
TEST_F(TrainingTest, SingleIsTheSerialDefinitionInEveryPrecision) {
  if (!test_session().is_root()) return;
  what.gpus = 1;
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    what.precision = info.precision;
    const Case single = verify::single_device_case(what);
    expect_all_passed(single, verdict_of(single));
  }
}

class Overflow : public TrainingTest, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(Training, Overflow,
                         testing::Values("ddp", "ddp:buckets=1kB", "ddp:compress=fp16", "ddp:compress=onebit",
                                         "parameter-server", "zero1", "zero1:buckets=1kB", "zero2", "fsdp",
                                         "ddp:accumulate=2", "zero1:accumulate=2:checkpoint=activations"));

TEST_P(Overflow, OnOneRankSkipsTheStepOnAll) {
  what.strategy = GetParam();
  expect_overflow_skips_the_step_on_all();
}

// Every copy is the single device to the bit, and its loss a share of all copies'.
TEST_F(TrainingTest, IndependentCopiesAreTheSingleDevice) {
  what.strategy = "independent";
  what.transport = Transport::none;
  for (const bool graph : {false, true}) {
    what.graph = graph;
    const verify::References references = references_of(what);
    const verify::Trajectory trajectory = verify::train(what, bench);
    expect_all_passed(what, verify::compare(what, references, trajectory, test_session().world()));
    const RunRecord record = measure::run_case(what, bench);
    EXPECT_EQ(record.exchange_calls, 0);
    if (!test_session().is_root()) continue;
    const verify::Trajectory& single = references.expected;
    EXPECT_EQ(trajectory.parameters, single.parameters);
    for (std::size_t step = 0; step < single.losses.size(); ++step) {
      EXPECT_NEAR(trajectory.losses[step], single.losses[step], 1e-6);
      EXPECT_NEAR(trajectory.gradient_norms[step], single.gradient_norms[step], 1e-6);
    }
    EXPECT_NEAR(record.loss.back() * what.gpus, single.losses.back(), 1e-6);
  }
}

TEST_F(TrainingTest, DdpInAGraphIsTheSingleDevice) {
  what.graph = true;
  expect_all_passed(what, verdict_of(what));
}

TEST_F(TrainingTest, ShardedInAGraphIsTheSingleDevice) {
  what.graph = true;
  for (const char* strategy : {"zero1:buckets=4kB", "zero2", "fsdp"}) {
    SCOPED_TRACE(strategy);
    what.strategy = strategy;
    expect_all_passed(what, verdict_of(what));
  }
}

// The sharded ones have to add up the squares of their parts first.
TEST_F(TrainingTest, ClippedGradientsHaveTheLimitAsTheirNorm) {
  const double first_norm = verify::train(what, bench).gradient_norms.front();
  const double limit = 0.5 * first_norm;
  for (const char* strategy : {"ddp", "parameter-server", "zero1", "zero2", "fsdp"}) {
    SCOPED_TRACE(strategy);
    what.strategy = fmt::format("{}:clip={}", strategy, limit);
    const verify::Trajectory clipped = verify::train(what, bench);
    EXPECT_NEAR(clipped.gradient_norms.front(), limit, 1e-6 * limit);
    for (const double norm : clipped.gradient_norms) EXPECT_LE(norm, limit * (1 + 1e-6));
    expect_all_passed(what, verify::compare(what, references_of(what), clipped, bench.group(what.gpus)));
  }
}

// Its update is made apart from the products then.
TEST_F(TrainingTest, SingleClippedIsItsDefinition) {
  if (!test_session().is_root()) return;
  Case single = verify::single_device_case(what);
  single.strategy = "single:clip=0.1";
  for (const Timing timing : {Timing::steps, Timing::phases}) {
    single.timing = timing;
    EXPECT_EQ(measure::run_case(single, bench).steps_a_launch, 1);
  }
  expect_all_passed(single, verdict_of(single));
}

// What is laid out or gathered otherwise predicts what the same parameters predict elsewhere.
TEST_F(TrainingTest, ShardedModelsPredictAsWholeOnesDo) {
  const data::DatasetFile file = with_classes();
  measure::RunContext of_file(test_session(), *device, options, &file);
  const double accuracy = measure::run_case(what, of_file).test_accuracy;
  EXPECT_GT(accuracy, 0);
  for (const char* strategy : {"zero1", "zero2", "fsdp"}) {
    what.strategy = strategy;
    EXPECT_EQ(measure::run_case(what, of_file).test_accuracy, accuracy) << strategy;
  }
}

TEST_F(TrainingTest, ParameterServerExchangesGradientsAndParameters) {
  what.strategy = "parameter-server";
  what.timing = Timing::phases;
  const RunRecord record = measure::run_case(what, bench);
  const double floats = static_cast<double>(ParameterLayout(bench.settings_for(what, 20).shape).floats());
  EXPECT_EQ(record.exchange_calls, 2);
  EXPECT_EQ(record.exchange_bytes, 2 * floats * sizeof(float) + sizeof(StepState));
  EXPECT_GE(record.at(0, Phase::broadcast), 0);
}

TEST_F(TrainingTest, StreamedDataAreTheResidentOnes) {
  what.data = DataPlacement::streamed;
  expect_all_passed(what, verdict_of(what));
}

TEST_F(TrainingTest, SgdToo) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  expect_all_passed(what, verdict_of(what));
}

TEST_F(TrainingTest, TrainingLowersTheLoss) {
  options.steps = 300;
  options.learning_rate = 3e-3f;
  const verify::Trajectory trajectory = verify::train(what, bench);
  EXPECT_LT(trajectory.losses.back(), 0.7 * trajectory.losses.front());
}

TEST_F(TrainingTest, RunRecordIsWholeAndItsPhasesAddUp) {
  what.timing = Timing::phases;
  const RunRecord record = measure::run_case(what, bench);
  for (std::uint32_t step = 0; step < record.steps; ++step) {
    double sum = 0;
    for (const PhaseInfo& info : phases) {
      EXPECT_FALSE(std::isnan(record.at(step, info.phase))) << info.name;
      if (info.phase != Phase::step) sum += record.at(step, info.phase);
    }
    EXPECT_NEAR(sum, record.at(step, Phase::step), 1e-9);
    EXPECT_GT(record.at(step, Phase::forward), 0);
    EXPECT_GE(record.at(step, Phase::wait), 0);
    EXPECT_EQ(record.at(step, Phase::broadcast), 0);
    EXPECT_GT(record.loss[step], 0);
    EXPECT_GT(record.host_seconds[step], 0);
  }
  EXPECT_GT(record.setup_seconds, 0);
  EXPECT_GT(record.first_step_seconds, 0);
  EXPECT_GT(record.busy_fraction, 0);
  EXPECT_LE(record.busy_fraction, 1 + 1e-9);
  const MlpSettings settings = bench.settings_for(what, 20);
  EXPECT_EQ(record.exchange_bytes,
            static_cast<double>(ParameterLayout(settings.shape).floats() * sizeof(float)));
  EXPECT_EQ(record.exchange_calls, 1);
  EXPECT_EQ(record.skipped_steps, 0);
  // Parameters, gradients and both moments, at the least.
  EXPECT_GT(record.peak_memory_bytes, 4.0 * static_cast<double>(settings.shape.parameters()) * sizeof(float));
}

// Steps that a launch makes together are those one by one, however many are left for the last launch.
TEST_F(TrainingTest, LaunchesOfSeveralStepsAreMeasuredStepByStep) {
  if (!test_session().is_root()) return;
  Case single = verify::single_device_case(what);
  for (const bool graph : {false, true}) {
    single.graph = graph;
    for (const std::uint32_t steps : {1u, train::most_steps_a_launch, 2 * train::most_steps_a_launch + 7}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, graph " << graph);
      options.warmup = train::most_steps_a_launch + 3;
      options.steps = steps;
      const RunRecord record = measure::run_case(single, bench);
      EXPECT_EQ(record.steps_a_launch, train::most_steps_a_launch);
      const std::vector<double> losses = verify::train(single, bench).losses;
      double sum = 0;
      for (std::uint32_t step = 0; step < steps; ++step) {
        EXPECT_EQ(record.loss[step], losses[options.warmup + step]) << step;
        EXPECT_GT(record.at(step, Phase::step), 0) << step;
        EXPECT_GT(record.host_seconds[step], 0) << step;
        sum += record.at(step, Phase::step);
      }
      EXPECT_NEAR(sum, record.steps_device_seconds, 1e-9);
    }
  }
}

// Where something has to happen between the steps, or is to be seen in them.
TEST_F(TrainingTest, OtherLaunchesHaveOneStep) {
  if (!test_session().is_root()) return;
  Case single = verify::single_device_case(what);
  single.data = DataPlacement::streamed;
  EXPECT_EQ(measure::run_case(single, bench).steps_a_launch, 1);
  single.data = DataPlacement::resident;
  single.timing = Timing::phases;
  EXPECT_EQ(measure::run_case(single, bench).steps_a_launch, 1);
}

TEST_F(TrainingTest, StepTimingMeasuresOnlySteps) {
  const RunRecord record = measure::run_case(what, bench);
  EXPECT_TRUE(std::isnan(record.at(0, Phase::forward)));
  EXPECT_GT(record.at(0, Phase::step), 0);
}

}  // namespace
}  // namespace breakeven
