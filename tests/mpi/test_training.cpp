// SPDX-License-Identifier: Apache-2.0
// Training on any number of ranks is the single device's: by every way to feed and launch it, and the checks
// that say so fail where a strategy is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/measure/run_case.h"
#include "src/measure/workbench.h"
#include "src/verify/trajectory.h"
#include "src/verify/verdict.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

RunOptions short_options() {
  RunOptions options = run_defaults();
  options.warmup = 3;
  options.steps = 17;
  options.samples = 500;
  return options;
}

Case ddp_case(const Device& device) {
  Case what{"37-31-19-5", 24,        test_session().size(), "ddp", "fp32", "", "", "strong", "total",
            false,        "resident"};
  what.gemm = name_of(device.gemm_kernels(Precision::fp32).front());
  what.collective = testing_on_cuda() ? "nccl" : "mpi";
  return what;
}

class TrainingTest : public testing::Test {
 protected:
  TrainingTest()
      : options(short_options()),
        device(make_test_device()),
        bench(test_session(), *device, options, nullptr),
        what(ddp_case(*device)) {}

  Verdict verdict_of(const Case& candidate) {
    return compare(references_of(candidate), train(candidate, bench), test_session().world());
  }

  References references_of(const Case& candidate) {
    if (!test_session().is_root()) return {};
    return {train(single_device_case(candidate), bench), train_in_shards(candidate, bench)};
  }

  RunOptions options;
  std::unique_ptr<Device> device;
  Workbench bench;
  Case what;
};

void expect_all_passed(const Verdict& verdict) {
  ASSERT_EQ(verdict.checks.size(), test_session().size() <= 2 ? 6u : 5u);
  for (const Check& check : verdict.checks) EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
}

TEST_F(TrainingTest, DdpIsTheSingleDevice) { expect_all_passed(verdict_of(what)); }

TEST_F(TrainingTest, DdpInAGraphIsTheSingleDevice) {
  what.graph = true;
  expect_all_passed(verdict_of(what));
}

TEST_F(TrainingTest, StreamedDataAreTheResidentOnes) {
  what.data = "streamed";
  expect_all_passed(verdict_of(what));
}

TEST_F(TrainingTest, SgdToo) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  expect_all_passed(verdict_of(what));
}

TEST_F(TrainingTest, TrainingLowersTheLoss) {
  options.steps = 300;
  options.learning_rate = 3e-3f;
  const Trajectory trajectory = train(what, bench);
  EXPECT_LT(trajectory.losses.back(), 0.7 * trajectory.losses.front());
}

// Each rank with a mask of its own rows' numbers, as if dropout were keyed by the local sample.
TEST_F(TrainingTest, MaskKeyedByLocalSampleIsCaught) {
  if (test_session().size() == 1) GTEST_SKIP() << "local and global samples are the same on one rank";
  ReplicaSettings settings = bench.settings_for(what, 20);
  const std::uint32_t first_row = settings.first_sample;
  const Dataset& dataset = bench.dataset(settings.shape, DataPlace::resident);
  settings.first_sample = 0;
  Communicator& communicator = *bench.communicator(what.collective, what.gpus);
  const std::unique_ptr<Stream> stream = device->make_stream();
  Replica replica(*device, settings, *stream);
  const BatchSource source{dataset.features(), dataset.targets(), settings.seed,
                           what.batch,         first_row,         false};
  for (int step = 0; step < 20; ++step) {
    replica.load_batch(source, *stream);
    replica.forward(*stream);
    replica.backward([](std::size_t) {}, *stream);
    communicator.all_reduce_sum(replica.gradients().data(), replica.gradients().size(), *stream);
    replica.update(*stream);
  }
  Trajectory wrong = train(what, bench);
  device->copy(wrong.parameters.data(), replica.parameters().data(), wrong.parameters.size() * sizeof(float),
               *stream);
  stream->synchronize();
  const Verdict verdict = compare(references_of(what), wrong, test_session().world());
  EXPECT_FALSE(verdict.checks[3].passed());
  EXPECT_TRUE(verdict.checks.back().passed());  // all ranks are wrong alike
}

TEST_F(TrainingTest, NanAndStrayBitsAreCaught) {
  const Trajectory reference = train(what, bench);
  Trajectory stray = reference;
  if (test_session().rank() == test_session().size() - 1) {
    stray.parameters[5] = std::nextafter(stray.parameters[5], 1e9f);
  }
  const Verdict bits = compare({reference, reference}, stray, test_session().world());
  EXPECT_EQ(bits.checks.back().passed(), test_session().size() == 1);  // the root differs from nobody
  Trajectory nan = reference;
  nan.parameters[0] = std::numeric_limits<float>::quiet_NaN();
  nan.losses.back() = std::numeric_limits<double>::quiet_NaN();
  nan.gradient_norms.back() = std::numeric_limits<double>::quiet_NaN();
  const Verdict verdict = compare({reference, reference}, nan, test_session().world());
  for (std::size_t i = 0; i + 1 < verdict.checks.size(); ++i)
    EXPECT_FALSE(verdict.checks[i].passed()) << verdict.checks[i].what;
}

TEST_F(TrainingTest, RunRecordIsWholeAndItsPhasesAddUp) {
  what.instrument = "phases";
  const RunRecord record = run_case(what, bench);
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
  const ReplicaSettings settings = bench.settings_for(what, 20);
  EXPECT_EQ(record.exchange_bytes,
            static_cast<double>(ParameterLayout(settings.shape).floats() * sizeof(float)));
  EXPECT_EQ(record.exchange_calls, 1);
  // Parameters, gradients and both moments, at the least.
  EXPECT_GT(record.peak_memory_bytes, 4.0 * static_cast<double>(settings.shape.parameters()) * sizeof(float));
}

TEST_F(TrainingTest, TotalInstrumentMeasuresStepsAlone) {
  const RunRecord record = run_case(what, bench);
  EXPECT_TRUE(std::isnan(record.at(0, Phase::forward)));
  EXPECT_GT(record.at(0, Phase::step), 0);
}

}  // namespace
}  // namespace breakeven
