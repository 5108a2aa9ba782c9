// SPDX-License-Identifier: Apache-2.0
// What strategies say that they exchange and keep is what the communicator and the device count.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "src/core/model/mlp_memory.h"
#include "src/measure/run_case.h"
#include "src/measure/run_context.h"
#include "src/train/training.h"
#include "tests/support/mpi_session.h"
#include "tests/support/recording_communicator.h"

namespace breakeven {
namespace {

measure::RunOptions short_options() {
  measure::RunOptions options = measure::run_defaults();
  options.samples = 200;
  options.settle = {};
  return options;
}

class StrategyCosts : public testing::Test {
 protected:
  StrategyCosts()
      : options(short_options()),
        device(make_test_device()),
        bench(test_session(), *device, options, nullptr),
        communicator(*bench.communicator(testing_on_cuda() ? Transport::nccl : Transport::mpi, ranks())) {
    what.model = "37-31-64-27-5";
    what.batch = 24;
    what.gpus = ranks();
    what.strategy = "ddp";
    what.precision = Precision::fp32;
    what.gemm = device->gemm_kernels(Precision::fp32).front();
  }

  static int ranks() { return test_session().size(); }

  std::unique_ptr<train::Training> training_by(const std::string& strategy) {
    return training_by(strategy, communicator);
  }
  std::unique_ptr<train::Training> training_by(const std::string& strategy, Communicator& by) {
    what.strategy = strategy;
    const MlpSettings settings = bench.settings_for(what, 4);
    return std::make_unique<train::Training>(*device, std::get<StrategyChoice>(parse_strategy(strategy)), &by,
                                             bench.dataset(settings.shape, DataPlacement::resident),
                                             settings);
  }
  std::string refusal(const std::string& strategy) {
    what.strategy = strategy;
    const auto choice = std::get<StrategyChoice>(parse_strategy(strategy));
    return choice.info->refusal(choice.options, {bench.settings_for(what, 4).shape, what.batch, ranks()});
  }

  void expect_messages_are_those_of_the_formula(const std::string& strategy);

  Traffic counted_in_a_step(train::Training& training) {
    const Traffic before = communicator.traffic();
    training.launch(1, {});
    training.stream().synchronize();
    const Traffic after = communicator.traffic();
    return {after.calls - before.calls, after.bytes - before.bytes};
  }

  measure::RunOptions options;
  std::unique_ptr<Device> device;
  measure::RunContext bench;
  Communicator& communicator;
  Case what;
};

// One by one, whatever their order.
std::vector<Message> call_by_call(const std::vector<Message>& messages) {
  std::vector<Message> calls;
  for (Message message : messages) {
    const std::uint32_t count = std::exchange(message.calls, 1);
    message.period = 1;
    calls.insert(calls.end(), count, message);
  }
  std::ranges::sort(calls, {}, [](const Message& m) { return std::tuple(m.kind, m.bytes, m.ranks); });
  return calls;
}

void StrategyCosts::expect_messages_are_those_of_the_formula(const std::string& strategy) {
  std::vector<Message> made;
  RecordingCommunicator recording(communicator, made);
  const Traffic before = communicator.traffic();
  const auto training = training_by(strategy, recording);
  training->launch(1, {});
  training->stream().synchronize();
  const auto choice = std::get<StrategyChoice>(parse_strategy(strategy));
  const std::vector<Message> formula =
      choice.info->messages(choice.options, bench.settings_for(what, 4), communicator.rank(), ranks());

  const Traffic after = communicator.traffic() + recording.traffic();
  EXPECT_EQ(after.calls - before.calls, traffic_of(formula).calls);
  EXPECT_EQ(after.bytes - before.bytes, traffic_of(formula).bytes);
  std::vector<Message> expected = formula;
  std::erase_if(expected, [](const Message& m) { return m.kind == Collective::one_sided; });
  EXPECT_EQ(call_by_call(made), call_by_call(expected));
}

class MessagesOfStrategies : public StrategyCosts, public testing::WithParamInterface<Precision> {};

// Every strategy, and options that change its messages.
std::vector<std::string> strategies_with_options() {
  std::vector<std::string> all{"ddp:buckets=4kB",
                               "zero1:buckets=4kB",
                               "zero1:clip=1",
                               "zero2:buckets=4kB:clip=1",
                               "fsdp:clip=1",
                               "pipeline:schedule=gpipe:micro-batches=6",
                               "hybrid:data=2",
                               "hybrid:pipeline=2",
                               "hybrid:data=2:pipeline=2:micro-batches=3",
                               "local-sgd:period=3",
                               "ddp:compress=bf16",
                               "ddp:compress=int8",
                               "ddp:compress=powersgd:2",
                               "ddp:compress=onebit",
                               "ddp:buckets=4kB:compress=topk:0.1",
                               "ddp:buckets=4kB:accumulate=2",
                               "zero1:buckets=4kB:accumulate=2:checkpoint=activations"};
  for (const StrategyDescription& description : strategies())
    if (description.exchanges) all.emplace_back(description.name);
  return all;
}

TEST_P(MessagesOfStrategies, AreTheFormulas) {
  what.precision = GetParam();
  for (const std::string& strategy : strategies_with_options()) {
    SCOPED_TRACE(strategy);
    if (const std::string reason = refusal(strategy); !reason.empty()) {
      EXPECT_NE(ranks(), 4) << reason;
      continue;
    }
    expect_messages_are_those_of_the_formula(strategy);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, MessagesOfStrategies,
                         testing::Values(Precision::fp32, Precision::bf16, Precision::fp16),
                         [](const auto& precision) { return std::string(name_of(precision.param)); });

// The first step averages, and then one step in three.
TEST_F(StrategyCosts, MessagesOfAPeriodAreSpreadOverIt) {
  const auto training = training_by("local-sgd:period=3");
  const StrategyChoice& choice = what.strategy.value();
  const MeanTraffic mean = mean_traffic_of(
      choice.info->messages(choice.options, bench.settings_for(what, 4), communicator.rank(), ranks()));
  Traffic counted;
  for (int step = 0; step < 3; ++step) counted = counted + counted_in_a_step(*training);
  EXPECT_DOUBLE_EQ(3 * mean.calls, static_cast<double>(counted.calls));
  EXPECT_DOUBLE_EQ(3 * mean.bytes, static_cast<double>(counted.bytes));
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
      MlpSettings settings = bench.settings_for(what, 4);
      settings.precision = precision;
      const bool shards = level != Sharded::nothing;
      settings.sharding.level = level;
      settings.sharding.rank = test_session().rank();
      settings.sharding.ranks = shards ? ranks() : 1;
      settings.sharding.bucket_bytes = 1;
      const std::size_t before = device->bytes_in_use();
      const model::ModelState state(*device, settings, *stream);
      const MemoryNeed need = state_memory(settings);
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

// Predicted is what StrategyDescription::memory_need says with these options; streams take nothing on the
// host.
TEST_F(StrategyCosts, OptionsTakeTheMemoryThatTheFormulaSays) {
  if (testing_on_cuda()) GTEST_SKIP() << "tests/mpi/test_memory.cpp says what is held there";
  options.warmup = 1;
  options.steps = 2;
  what.transport = Transport::mpi;
  what.timing = Timing::steps;
  what.data = DataPlacement::resident;
  for (const char* strategy :
       {"ddp:clip=1", "parameter-server:clip=1", "zero1:buckets=4kB:clip=1", "zero2:buckets=4kB",
        "fsdp:clip=1", "stale", "local-sgd:outer=nesterov", "stale:accumulate=2",
        "local-sgd:outer=nesterov:accumulate=3", "single:accumulate=4:checkpoint=activations"}) {
    SCOPED_TRACE(strategy);
    what.strategy = strategy;
    const RunRecord record = measure::run_case(what, bench);
    EXPECT_EQ(record.peak_memory_bytes, record.predicted_memory_bytes);
  }
}

}  // namespace
}  // namespace breakeven
