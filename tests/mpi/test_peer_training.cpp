// SPDX-License-Identifier: Apache-2.0
// Training of a small network by `ddp` over the peer transport, whose steps are fused.
#include "src/core/strategy/case_strategy.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

class PeerTraining : public TrainingTest {
 protected:
  void SetUp() override {
    if (!testing_on_cuda()) GTEST_SKIP() << "needs a GPU";
    if (test_session().size() == 1) GTEST_SKIP() << "needs two ranks";
    if (device->info().compute_capability < 90) GTEST_SKIP() << "these steps are fused from 9.0 on";
    what.transport = Transport::peer;
  }

  bool makes_whole_steps() {
    Communicator* const communicator = bench.communicator(Transport::peer, what.gpus);
    const MlpSettings settings = bench.settings_for(what, 4);
    train::Training training(*device, strategy_of_case(what), communicator,
                             bench.dataset(settings.shape, DataPlacement::resident), settings);
    for (int launch = 0; launch < 3; ++launch) training.launch(1, {});
    training.stream().synchronize();
    communicator->check();
    return training.makes_whole_steps();
  }
};

TEST_F(PeerTraining, FusesTheStepsOfDdp) {
  EXPECT_TRUE(makes_whole_steps());
  for (const char* strategy : {"ddp:buckets=4kB", "ddp:clip=1", "ddp:accumulate=2", "ddp:compress=bf16",
                               "ddp:checkpoint=activations"}) {
    what.strategy = strategy;
    EXPECT_FALSE(makes_whole_steps()) << strategy;
  }
}

TEST_F(PeerTraining, FusesUpToTheMostRowsOfARank) {
  const auto ranks = static_cast<std::uint32_t>(what.gpus);
  what.batch = StepNotes::most_rows * ranks;
  EXPECT_TRUE(makes_whole_steps());
  what.batch += ranks;
  EXPECT_FALSE(makes_whole_steps());
}

TEST_F(PeerTraining, ComputesWhatDdpPromises) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16}) {
    SCOPED_TRACE(name_of(precision));
    what.precision = precision;
    for (const bool graph : {false, true}) {
      what.graph = graph;
      expect_all_passed(what, verdict_of(what));
    }
  }
}

TEST_F(PeerTraining, OverflowSkipsTheStepOnAll) { expect_overflow_skips_the_step_on_all(); }

// The calls that are described, of steps in several launches.
TEST_F(PeerTraining, CountsWhatIsDescribed) {
  what.graph = true;
  const RunRecord record = measure::run_case(what, bench);
  const StrategyChoice strategy = strategy_of_case(what);
  const Traffic described = traffic_of(strategy.info->messages(strategy.options, bench.settings_for(what, 4),
                                                               test_session().rank(), what.gpus));
  EXPECT_EQ(record.exchange_calls, static_cast<double>(described.calls));
  EXPECT_EQ(record.exchange_bytes, static_cast<double>(described.bytes));
  EXPECT_EQ(record.steps_a_launch, train::most_steps_a_launch);
}

TEST_F(PeerTraining, PhasesRunLayerByLayer) { expect_phases_add_up(); }

}  // namespace
}  // namespace breakeven
