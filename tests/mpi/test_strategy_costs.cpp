// SPDX-License-Identifier: Apache-2.0
// What strategies say that they exchange and keep is what the communicator and the device count.
#include <gtest/gtest.h>

#include "src/measure/run_case.h"
#include "src/measure/workbench.h"
#include "src/train/training.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

RunOptions short_options() {
  RunOptions options = run_defaults();
  options.samples = 200;
  return options;
}

class StrategyCosts : public testing::Test {
 protected:
  StrategyCosts()
      : options(short_options()),
        device(make_test_device()),
        bench(test_session(), *device, options, nullptr),
        communicator(*bench.communicator(testing_on_cuda() ? "nccl" : "mpi", ranks())) {
    what.model = "37-31-64-19-5";
    what.batch = 24;
    what.gpus = ranks();
    what.precision = "fp32";
    what.gemm = name_of(device->gemm_kernels(Precision::fp32).front());
  }

  static int ranks() { return test_session().size(); }

  std::unique_ptr<Training> training_by(const std::string& strategy) {
    const ReplicaSettings settings = bench.settings_for(what, 4);
    return std::make_unique<Training>(*device, std::get<StrategyChoice>(parse_strategy(strategy)),
                                      &communicator, bench.dataset(settings.shape, DataPlace::resident),
                                      settings);
  }

  Traffic counted_in_a_step(Training& training) {
    const Traffic before = communicator.traffic();
    training.launch(1, {});
    training.stream().synchronize();
    const Traffic after = communicator.traffic();
    return {after.calls - before.calls, after.bytes - before.bytes};
  }

  RunOptions options;
  std::unique_ptr<Device> device;
  Workbench bench;
  Communicator& communicator;
  Case what;
};

TEST_F(StrategyCosts, TrafficIsTheFormulas) {
  for (const char* precision : {"fp32", "bf16", "fp16"}) {
    what.precision = precision;
    for (const char* strategy :
         {"ddp", "ddp:buckets=4kB", "parameter-server", "zero1", "zero1:buckets=4kB", "zero1:clip=1", "zero2",
          "zero2:buckets=4kB:clip=1", "fsdp", "fsdp:clip=1", "stale", "local-sgd:period=3", "async-server",
          "ddp:compress=int8", "ddp:buckets=4kB:compress=topk:0.1"}) {
      SCOPED_TRACE(testing::Message() << strategy << " " << precision);
      const auto training = training_by(strategy);
      const Traffic formula = training->strategy().traffic_a_step(training->replica());
      const Traffic counted = counted_in_a_step(*training);
      EXPECT_EQ(counted.calls, formula.calls);
      EXPECT_EQ(counted.bytes, formula.bytes);
    }
  }
}

// The table of docs/strategies.md, in fp32: P for each way there or back; fsdp's layers 1 and 0 to the last
// but two are gathered twice, and here that is layer 1 alone.
TEST_F(StrategyCosts, TrafficIsTheTables) {
  const ParameterLayout layout(bench.settings_for(what, 4).shape, ranks());
  const std::uint64_t p = layout.floats() * sizeof(float);
  const std::uint64_t layer_1 = (layout.weight_offset(2) - layout.weight_offset(1)) * sizeof(float);
  EXPECT_EQ(counted_in_a_step(*training_by("zero1")), (Traffic{2, 2 * p}));
  EXPECT_EQ(counted_in_a_step(*training_by("zero2")), (Traffic{8, 2 * p}));
  EXPECT_EQ(counted_in_a_step(*training_by("fsdp")), (Traffic{9, 2 * p + layer_1}));
}

// What the state takes, by the device's own count.
TEST_F(StrategyCosts, StateIsWhatTheTableSays) {
  const std::unique_ptr<Stream> stream = device->make_stream();
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    for (const Sharded level :
         {Sharded::nothing, Sharded::moments, Sharded::gradients, Sharded::parameters}) {
      SCOPED_TRACE(testing::Message() << info_of(precision).name << " level " << static_cast<int>(level));
      ReplicaSettings settings = bench.settings_for(what, 4);
      settings.precision = precision;
      const bool shards = level != Sharded::nothing;
      settings.sharding.level = level;
      settings.sharding.rank = test_session().rank();
      settings.sharding.ranks = shards ? ranks() : 1;
      settings.sharding.bucket_bytes = 1;
      const std::size_t before = device->bytes_in_use();
      const ModelState state(*device, settings, *stream);
      const MemoryNeed need = ModelState::memory_need(settings);
      EXPECT_EQ(device->bytes_in_use() - before,
                need.parameters + need.working_copy + need.gradients + need.moments);
      const std::size_t p = state.layout().floats() * sizeof(float);
      const std::size_t share = p / static_cast<std::size_t>(settings.sharding.ranks);
      EXPECT_EQ(need.moments, 2 * share);
      EXPECT_EQ(need.parameters - sizeof(StepState), settings.shards_masters() ? share : p);
      if (level >= Sharded::gradients) {
        EXPECT_LT(need.gradients, p + share);
      } else {
        EXPECT_EQ(need.gradients, p);
      }
    }
  }
}

// Predicted is what StrategyInfo::memory_need says with these options; streams take nothing on the host.
TEST_F(StrategyCosts, OptionsTakeTheMemoryThatTheFormulaSays) {
  if (testing_on_cuda()) GTEST_SKIP() << "tests/mpi/test_memory.cpp says what is held there";
  options.warmup = 1;
  options.steps = 2;
  what.collective = "mpi";
  what.instrument = "total";
  what.data = "resident";
  for (const char* strategy : {"ddp:clip=1", "parameter-server:clip=1", "zero1:buckets=4kB:clip=1",
                               "zero2:buckets=4kB", "fsdp:clip=1", "stale", "local-sgd:outer=nesterov"}) {
    SCOPED_TRACE(strategy);
    what.strategy = strategy;
    const RunRecord record = run_case(what, bench);
    EXPECT_EQ(record.peak_memory_bytes, record.predicted_memory_bytes);
  }
}

}  // namespace
}  // namespace breakeven
