// SPDX-License-Identifier: Apache-2.0
// accumulate=K and checkpoint=activations compute what is computed without them, in the memory that the
// formula says.
#include <cctype>

#include <fmt/format.h>

#include "tests/support/training_test.h"

namespace breakeven {
namespace {

class KeptActivations : public TrainingTest, public testing::WithParamInterface<std::string> {
 protected:
  KeptActivations() {
    what.model = "37-31-45-19-33-26-5";  // no width is without padding
    what.batch = 72;
    what.strategy = GetParam();
  }
};

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) letter = std::isalnum(letter) ? letter : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Training, KeptActivations,
    testing::Values("ddp:accumulate=3", "ddp:buckets=2kB:accumulate=6:checkpoint=activations",
                    "ddp:compress=int8:accumulate=2", "ddp:accumulate=2:clip=0.1",
                    "parameter-server:accumulate=2:checkpoint=activations:3", "zero1:accumulate=6",
                    "zero1:buckets=2kB:accumulate=3", "zero2:checkpoint=activations:2",
                    "stale:accumulate=2:checkpoint=activations", "local-sgd:period=3:accumulate=3"),
    test_name);

TEST_P(KeptActivations, EqualTheSingleDeviceInEveryPrecision) {
  for (const PrecisionInfo& info : precisions) {
    SCOPED_TRACE(info.name);
    what.precision = info.precision;
    expect_all_passed(what, verdict_of(what));
  }
}

TEST_P(KeptActivations, InAGraphAndWithStreamedData) {
  what.graph = true;
  what.data = DataPlacement::streamed;
  expect_all_passed(what, verdict_of(what));
}

TEST_P(KeptActivations, TakeTheMemoryThatTheFormulaSays) {
  for (const DataPlacement data : {DataPlacement::resident, DataPlacement::streamed}) {
    what.data = data;
    expect_memory_by_formula();
  }
}

TEST_P(KeptActivations, PhasesAddUp) { expect_phases_add_up(); }

// The same kernels in the same order, and masks that come out the same: to the bit.
TEST_F(TrainingTest, CheckpointsChangeNoBit) {
  what.model = "37-31-45-19-33-26-5";
  for (const char* strategy : {"ddp", "ddp:accumulate=2", "parameter-server", "zero1", "zero2", "stale"}) {
    for (const Precision precision : {Precision::fp32, Precision::fp16}) {
      what.precision = precision;
      what.strategy = strategy;
      const verify::Trajectory kept = verify::train(what, bench);
      for (const char* layers : {"", ":1", ":2", ":3", ":4", ":6"}) {
        what.strategy = std::string(strategy) + ":checkpoint=activations" + layers;
        SCOPED_TRACE(testing::Message() << what.strategy.word() << " " << name_of(precision));
        const verify::Trajectory computed_anew = verify::train(what, bench);
        EXPECT_EQ(computed_anew.parameters, kept.parameters);
        EXPECT_EQ(computed_anew.losses, kept.losses);
        EXPECT_EQ(computed_anew.gradient_norms, kept.gradient_norms);
      }
    }
  }
}

// A single device's update is made apart from the products then, and is its definition's to the bit.
TEST_F(TrainingTest, SingleWithFewerActivationsIsItsDefinition) {
  if (!test_session().is_root()) return;
  Case single = verify::single_device_case(what);
  for (const char* options : {"accumulate=2", "accumulate=24", "checkpoint=activations",
                              "accumulate=3:checkpoint=activations:1:clip=0.1"}) {
    single.strategy = fmt::format("single:{}", options);
    for (const PrecisionInfo& info : precisions) {
      SCOPED_TRACE(testing::Message() << single.strategy.word() << " " << info.name);
      single.precision = info.precision;
      expect_all_passed(single, verdict_of(single));
      EXPECT_EQ(measure::run_case(single, bench).steps_a_launch, 1);
    }
  }
}

TEST_F(TrainingTest, KeptActivationsWithSgdToo) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  for (const char* strategy : {"ddp:accumulate=2", "zero2:checkpoint=activations"}) {
    SCOPED_TRACE(strategy);
    what.strategy = strategy;
    expect_all_passed(what, verdict_of(what));
  }
}

// What only predicts goes through the network in parts as well, and has no use for checkpoints.
TEST_F(TrainingTest, KeptActivationsPredictAsAllDo) {
  const data::DatasetFile file = with_classes();
  measure::RunContext of_file(test_session(), *device, options, &file);
  what.model = "37-31-45-19-33-5";
  const double accuracy = measure::run_case(what, of_file).test_accuracy;
  EXPECT_GT(accuracy, 0);
  what.strategy = "ddp:checkpoint=activations";
  EXPECT_EQ(measure::run_case(what, of_file).test_accuracy, accuracy);
  what.strategy = "ddp:accumulate=3:checkpoint=activations";
  what.batch = 36;
  const double of_parts = measure::run_case(what, of_file).test_accuracy;
  what.strategy = "ddp";
  EXPECT_NEAR(of_parts, measure::run_case(what, of_file).test_accuracy, 2.0 / 500);
}

}  // namespace
}  // namespace breakeven
