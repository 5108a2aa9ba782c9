// SPDX-License-Identifier: Apache-2.0
// The checks of `breakeven verify` fail where a strategy is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/training_test.h"

namespace breakeven {
namespace {

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
  const Verdict verdict = compare(what, references_of(what), wrong, test_session().world());
  EXPECT_FALSE(verdict.checks[3].passed());
  EXPECT_TRUE(verdict.checks.back().passed());  // all ranks are wrong alike
}

TEST_F(TrainingTest, NanAndStrayBitsAreCaught) {
  const Trajectory reference = train(what, bench);
  const References same{reference, reference, reference, reference};
  Trajectory stray = reference;
  if (test_session().rank() == test_session().size() - 1) {
    stray.parameters[5] = std::nextafter(stray.parameters[5], 1e9f);
  }
  const Verdict bits = compare(what, same, stray, test_session().world());
  EXPECT_EQ(bits.checks.back().passed(), test_session().size() == 1);  // the root differs from nobody
  Trajectory nan = reference;
  nan.parameters[0] = std::numeric_limits<float>::quiet_NaN();
  nan.losses.back() = std::numeric_limits<double>::quiet_NaN();
  nan.gradient_norms.back() = std::numeric_limits<double>::quiet_NaN();
  const Verdict verdict = compare(what, same, nan, test_session().world());
  for (std::size_t i = 0; i + 1 < verdict.checks.size(); ++i)
    EXPECT_FALSE(verdict.checks[i].passed()) << verdict.checks[i].what;
}

}  // namespace
}  // namespace breakeven
