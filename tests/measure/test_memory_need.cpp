// SPDX-License-Identifier: Apache-2.0
// What training is said to take is what the device has counted, to the byte.
#include <gtest/gtest.h>

#include "src/core/model/mlp_memory.h"
#include "src/data/batch_feeder.h"
#include "src/train/training.h"

namespace breakeven {
namespace {

constexpr std::uint32_t samples = 97;

MlpSettings settings_of(Precision precision, OptimizerKind optimizer, LossKind loss) {
  MlpSettings settings;
  settings.shape = std::get<ModelShape>(parse_model("37-31-19-5"));
  settings.global_batch = 24;
  settings.rows = 12;
  settings.loss = loss;
  settings.optimizer = optimizer;
  settings.precision = precision;
  settings.total_steps = 5;
  return settings;
}

data::SampleTable table_for(const MlpSettings& settings) {
  data::SampleTable table;
  table.samples = samples;
  table.inputs = settings.shape.inputs();
  table.target_width = settings.loss == LossKind::softmax_cross_entropy ? 1 : settings.shape.outputs();
  table.features.resize(std::size_t{samples} * static_cast<std::size_t>(padded_width(table.inputs)));
  table.targets.resize(std::size_t{samples} * static_cast<std::size_t>(padded_width(table.target_width)));
  return table;
}

// Two steps of `single`, with the data set that they are made on.
std::size_t counted(const MlpSettings& settings, DataPlacement place) {
  const std::unique_ptr<Device> device = make_host_device();
  const data::SampleTable table = table_for(settings);
  const data::Dataset dataset(*device, table, place);
  MlpSettings with_kernel = settings;
  with_kernel.gemm = device->gemm_kernels(settings.precision).front();
  train::Training training(*device, std::get<StrategyChoice>(parse_strategy("single")), nullptr, dataset,
                           with_kernel);
  training.launch(1, {});
  training.launch(1, {});
  training.stream().synchronize();
  return device->peak_bytes();
}

TEST(MemoryNeed, IsWhatTheDeviceCounts) {
  for (const PrecisionInfo& info : precisions) {
    for (const OptimizerKind optimizer : {OptimizerKind::adam, OptimizerKind::sgd}) {
      for (const LossKind loss : {LossKind::mean_squared_error, LossKind::softmax_cross_entropy}) {
        SCOPED_TRACE(testing::Message() << info.name << ", optimizer " << static_cast<int>(optimizer)
                                        << ", loss " << static_cast<int>(loss));
        const MlpSettings settings = settings_of(info.precision, optimizer, loss);
        const data::SampleTable table = table_for(settings);
        MemoryNeed need = mlp_memory(settings);
        need.samples = data::Dataset::bytes_of(samples, table.inputs, table.target_width);
        EXPECT_EQ(need.total(), counted(settings, DataPlacement::resident));
        need.samples = 0;
        need.staged = data::BatchFeeder::staged_bytes(settings.rows, table.inputs, table.target_width);
        EXPECT_EQ(need.total(), counted(settings, DataPlacement::streamed));
      }
    }
  }
}

TEST(MemoryNeed, RowsAloneGrowWithTheBatch) {
  const MlpSettings small = settings_of(Precision::bf16, OptimizerKind::adam, LossKind::mean_squared_error);
  MlpSettings large = small;
  large.rows = 3 * small.rows;
  const MemoryNeed of_small = mlp_memory(small);
  const MemoryNeed of_large = mlp_memory(large);
  EXPECT_EQ(of_large.of_rows(), 3 * of_small.of_rows());
  EXPECT_EQ(of_large.total() - of_large.of_rows(), of_small.total() - of_small.of_rows());
}

TEST(MemoryNeed, ActivationsOfMicroBatchesAreOfTheirRowsAlone) {
  MlpSettings settings = settings_of(Precision::bf16, OptimizerKind::adam, LossKind::mean_squared_error);
  const MemoryNeed whole = mlp_memory(settings);
  settings.micro_batches.count = 4;
  const MemoryNeed divided = mlp_memory(settings);
  EXPECT_EQ(4 * divided.activations, whole.activations);
  const std::size_t largest_layer = (31 * 40 + 32) * sizeof(float);
  EXPECT_EQ(divided.gradients, whole.gradients + largest_layer);
  EXPECT_EQ(divided.histories, whole.histories + 4 * sizeof(float));
}

// docs/strategies.md: the inputs kept, room for those between two of them, two gradients and the loss's.
TEST(MemoryNeed, CheckpointsKeepOneInputOfSeveral) {
  MlpSettings settings = settings_of(Precision::bf16, OptimizerKind::adam, LossKind::mean_squared_error);
  settings.shape = std::get<ModelShape>(parse_model("40-16-64-24-8-48-32-16"));
  const auto bytes = [&](std::uint32_t layers_a_checkpoint) {
    settings.layers_a_checkpoint = layers_a_checkpoint;
    return mlp_memory(settings).activations;
  };
  const std::size_t ends = 2 * (40 + 16) + 4 * (16 + 16);  // batch and loss's gradient; output and target
  const std::size_t gradients = 2 * (48 + 64);             // of layers 1, 3, 5 and of 2, 4, 6
  EXPECT_EQ(bytes(0), settings.rows * (ends + 2 * 2 * (16 + 64 + 24 + 8 + 48 + 32)));
  EXPECT_EQ(bytes(1), settings.rows * (ends + gradients + 2 * (16 + 64 + 24 + 8 + 48 + 32)));
  EXPECT_EQ(bytes(2), settings.rows * (ends + gradients + 2 * (64 + 8 + 32 + 48)));
  EXPECT_EQ(bytes(3), settings.rows * (ends + gradients + 2 * (24 + 32 + 16 + 64)));
  EXPECT_EQ(bytes(7), settings.rows * (ends + gradients + 2 * (16 + 64 + 24 + 8 + 48 + 32)));
}

TEST(MemoryNeed, IsTheSumOfWhatIsNamed) {
  MemoryNeed need;
  std::size_t expected = 0;
  for (const MemoryPart& part : memory_parts) {
    need.*part.bytes = 1000 + expected;
    expected += 1000 + expected;
  }
  EXPECT_EQ(need.total(), expected);
  EXPECT_EQ(sizeof need, memory_parts.size() * sizeof(std::size_t));  // none is left out
}

}  // namespace
}  // namespace breakeven
