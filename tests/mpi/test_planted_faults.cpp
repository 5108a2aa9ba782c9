// SPDX-License-Identifier: Apache-2.0
// The checks of `breakeven verify` fail if a strategy is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/strategy/strategy.h"
#include "src/verify/plain_descent.h"
#include "tests/support/faulty_communicator.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

constexpr std::string_view weights_check = "weights, relative Frobenius norm of the difference";
constexpr std::string_view bits_check = "weights whose bits differ between ranks";

class PlantedFault : public TrainingTest {
 protected:
  PlantedFault() { info = *strategy_of_case(what).info; }

  // Trains the case with the strategy `info` over a communicator with a fault.
  verify::Verdict verdict_with(const Fault& fault) {
    FaultyCommunicator communicator(*bench.communicator(what.transport.value(), what.gpus), *device, fault);
    const StrategyChoice choice{&info, strategy_of_case(what).options};
    const verify::References references = references_of(what);
    return verify::compare(what, references, verify::train(what, bench, choice, &communicator),
                           test_session().world());
  }

  void take(const char* strategy) {
    what.strategy = strategy;
    info = *strategy_of_case(what).info;
  }

  StrategyDescription info;
};

TEST_F(PlantedFault, ACorrectStrategyPasses) {
  for (const char* strategy : {"ddp:buckets=100B", "stale", "local-sgd:period=3"}) {
    SCOPED_TRACE(strategy);
    take(strategy);
    expect_all_passed(what, verdict_with({}));
  }
}

// A bucket of one layer is left out in every step, or in one step only.
TEST_F(PlantedFault, SkippedBucketIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank has nothing to sum";
  take("ddp:buckets=100B");
  const auto layers = static_cast<int>(bench.settings_for(what, 20).shape.layers());
  const verify::Verdict always = verdict_with({.skips = [layers](int call) { return call % layers == 1; }});
  EXPECT_FALSE(check_named(weights_check, always).passed());
  EXPECT_FALSE(check_named(bits_check, always).passed());
  const verify::Verdict once = verdict_with({.skips = [layers](int call) { return call == 7 * layers + 1; }});
  EXPECT_FALSE(check_named(weights_check, once).passed());
  EXPECT_FALSE(check_named(bits_check, once).passed());
}

// One exchange of a split model is left out once.
TEST_F(PlantedFault, SkippedExchangeOfSplitModelIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank has nothing to exchange";
  options.steps = 97;
  what.model = "40-32-32-64-16";
  take("tensor");
  const StrategyChoice tensor = strategy_of_case(what);
  ASSERT_EQ(tensor.info->refusal(tensor.options, {what.model.value(), what.batch, what.gpus}), "");
  const auto checks_with = [&](const Fault& fault) {
    FaultyCommunicator communicator(*bench.communicator(what.transport.value(), what.gpus), *device, fault);
    return verify::check_plain_descent(what, bench, strategy_of_case(what), &communicator);
  };
  const std::vector<verify::Check> sound = checks_with({});
  ASSERT_EQ(sound.size(), 2u);
  for (const verify::Check& check : sound) EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
  const int in_a_step = 2 * 2 - 1;  // two pairs of layers, and the batch needs no gradient
  for (int exchange = 0; exchange < in_a_step; ++exchange) {
    SCOPED_TRACE(exchange);
    const int call = 50 * in_a_step + exchange;
    const std::vector<verify::Check> faulty = checks_with({.skips = [call](int at) { return at == call; }});
    EXPECT_FALSE(faulty.back().passed()) << faulty.back().value;
  }
}

// The mean over ranks instead of their sum, which already is the mean over the batch. Adam hides it.
TEST_F(PlantedFault, WrongDivisorIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "a mean over one rank is its sum";
  const Fault fault{.factor = 1.0f / static_cast<float>(what.gpus)};
  const verify::Verdict verdict = verdict_with(fault);
  EXPECT_FALSE(check_named("norm of the first gradient, relative difference", verdict).passed());
  EXPECT_TRUE(check_named(bits_check, verdict).passed());  // all ranks have the same error
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  EXPECT_FALSE(check_named(weights_check, verdict_with(fault)).passed());
  take("local-sgd:period=3");
  EXPECT_FALSE(check_named(weights_check, verdict_with(fault)).passed());
}

// Rows that are not divisible into micro-batches, which a plan refuses: the remaining rows would not count.
TEST_F(PlantedFault, RowsLeftOutAreCaught) {
  take("ddp:accumulate=5");
  const verify::Verdict verdict = verdict_with({});
  EXPECT_FALSE(check_named("norm of the first gradient, relative difference", verdict).passed());
  EXPECT_FALSE(check_named(weights_check, verdict).passed());
}

// The strategy applies the previous step's gradients, and declares that they are this step's; or the reverse.
TEST_F(PlantedFault, StaleBufferIsCaught) {
  info.name = "stale";  // whose code trains
  EXPECT_FALSE(check_named(weights_check, verdict_with({})).passed());
  take("stale");
  info.name = "ddp";
  EXPECT_FALSE(check_named(weights_check, verdict_with({})).passed());
}

// An average is left out.
TEST_F(PlantedFault, SkippedAverageIsCaught) {
  if (what.gpus == 1) GTEST_SKIP() << "one rank has nothing to average";
  take("local-sgd:period=3");
  EXPECT_FALSE(
      check_named(weights_check, verdict_with({.skips = [](int call) { return call == 2; }})).passed());
}

TEST_F(PlantedFault, AverageWithoutItsOuterStepIsCaught) {
  take("local-sgd:period=3:outer=nesterov");
  const verify::References references = references_of(what);
  Case average = what;
  average.strategy = "local-sgd:period=3";
  const verify::Verdict verdict =
      verify::compare(what, references, verify::train(average, bench), test_session().world());
  EXPECT_FALSE(check_named(weights_check, verdict).passed());
}

// Dropout masks by the rank's local sample numbers instead of the global ones.
TEST_F(TrainingTest, MaskKeyedByLocalSampleIsCaught) {
  if (test_session().size() == 1) GTEST_SKIP() << "local and global samples are the same on one rank";
  MlpSettings settings = bench.settings_for(what, 20);
  const std::uint32_t first_row = settings.first_sample;
  const data::Dataset& dataset = bench.dataset(settings.shape, DataPlacement::resident);
  settings.first_sample = 0;
  Communicator& communicator = *bench.communicator(what.transport.value(), what.gpus);
  const std::unique_ptr<Stream> stream = device->make_stream();
  model::Mlp mlp(*device, settings, *stream);
  const BatchSource source{dataset.features(), dataset.targets(), settings.seed,
                           what.batch,         first_row,         false};
  for (int step = 0; step < 20; ++step) {
    mlp.load_batch(source, *stream);
    mlp.forward(*stream);
    mlp.backward([](std::size_t) {}, *stream);
    communicator.all_reduce_sum(mlp.gradients().data(), mlp.gradients().size(), *stream);
    mlp.update(*stream);
  }
  verify::Trajectory wrong = verify::train(what, bench);
  device->copy(wrong.parameters.data(), mlp.parameters().data(), wrong.parameters.size() * sizeof(float),
               *stream);
  stream->synchronize();
  const verify::Verdict verdict = verify::compare(what, references_of(what), wrong, test_session().world());
  EXPECT_FALSE(check_named("weights, relative Frobenius norm of the difference", verdict).passed());
  EXPECT_TRUE(verdict.checks.back().passed());  // all ranks have the same error
}

TEST_F(TrainingTest, NanAndDifferentBitsAreCaught) {
  const verify::Trajectory reference = verify::train(what, bench);
  const verify::References same{reference, reference, reference, reference};
  verify::Trajectory stray = reference;
  if (test_session().rank() == test_session().size() - 1) {
    stray.parameters[5] = std::nextafter(stray.parameters[5], 1e9f);
  }
  const verify::Verdict bits = verify::compare(what, same, stray, test_session().world());
  EXPECT_EQ(bits.checks.back().passed(), test_session().size() == 1);  // the root equals itself
  verify::Trajectory nan = reference;
  nan.parameters[0] = std::numeric_limits<float>::quiet_NaN();
  nan.losses.back() = std::numeric_limits<double>::quiet_NaN();
  std::ranges::fill(nan.gradient_norms, std::numeric_limits<double>::quiet_NaN());
  const verify::Verdict verdict = verify::compare(what, same, nan, test_session().world());
  for (std::size_t i = 0; i + 1 < verdict.checks.size(); ++i)
    EXPECT_FALSE(verdict.checks[i].passed()) << verdict.checks[i].what;
}

}  // namespace
}  // namespace breakeven
