// SPDX-License-Identifier: Apache-2.0
// A step's rows: gathered from a resident data set in the shuffled order, or taken from a staged half.
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

// The data set itself is put in by load().
BatchSource source_of(std::uint64_t seed, std::int64_t global_batch, std::uint32_t first_sample) {
  BatchSource source;
  source.seed = seed;
  source.global_batch = static_cast<std::uint32_t>(global_batch);
  source.first_sample = first_sample;
  return source;
}

class Batch : public DeviceTest {
 protected:
  struct Rows {
    Table features;
    Table target;
  };

  // The places [first_sample, first_sample + rows) of the global batch of `step`.
  static Rows load(const Table& features, const Table& targets, const BatchSource& settings,
                   std::uint32_t step, std::int64_t rows, Padding padding, Dtype from = Dtype::fp32,
                   Dtype to = Dtype::fp32) {
    const DeviceMatrix all_features(device(), stream(), features, padding, from);
    const DeviceMatrix all_targets(device(), stream(), targets, Padding::to_16_bytes);
    const DeviceMatrix batch(device(), stream(), Table(rows, features.cols, 99.0), Padding::to_16_bytes, to);
    const DeviceMatrix target(device(), stream(), Table(rows, targets.cols, 99.0), padding);
    const DeviceArray<StepState> state = state_at(device(), stream(), step);
    BatchSource source = settings;
    source.features = all_features.view();
    source.targets = all_targets.view();
    device().load_batch(source, state.data(), batch.view(), target.view(), stream());
    return {batch.download(), target.download()};
  }
};

TEST_F(Batch, ResidentRowsAreThoseOfTheSampleOrder) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const Table features = random_table(extent.rows, extent.cols, 1);
    const Table targets = random_table(extent.rows, 3, 2);
    const BatchSource settings = source_of(77, 24, 8);
    for (const std::uint32_t step : {0u, 1u, 50u, 400000000u}) {  // in the first epoch, and past 2^32 samples
      const Rows rows = load(features, targets, settings, step, 8, extent.padding);
      EXPECT_EQ(rows.features.values, reference::batch_rows(features, settings, step, 8).values);
      EXPECT_EQ(rows.target.values, reference::batch_rows(targets, settings, step, 8).values);
    }
  }
}

// So many rows that a block has several, and the last one fewer.
TEST_F(Batch, TakesMoreRowsThanTheDeviceHasMultiprocessors) {
  const Table features = random_table(1500, 9, 1);
  const Table targets = random_table(1500, 3, 2);
  for (const std::int64_t rows : {131, 133, 265, 599, 1203}) {
    const BatchSource settings = source_of(77, rows + 5, 2);
    const Rows loaded = load(features, targets, settings, 4, rows, Padding::to_16_bytes);
    EXPECT_EQ(loaded.features.values, reference::batch_rows(features, settings, 4, rows).values) << rows;
    EXPECT_EQ(loaded.target.values, reference::batch_rows(targets, settings, 4, rows).values) << rows;
  }
}

TEST_F(Batch, FeaturesAreRoundedToTheDtypeOfTheBatch) {
  const Table features = random_table(50, 67, 1);
  const Table targets = random_table(50, 3, 2);
  const BatchSource settings = source_of(77, 24, 8);
  for (const Dtype from : dtypes) {
    for (const Dtype to : dtypes) {
      for (const Padding padding : paddings) {
        SCOPED_TRACE(testing::Message() << name_of(from) << " to " << name_of(to));
        const Rows rows = load(features, targets, settings, 5, 8, padding, from, to);
        const Table expected = reference::batch_rows(rounded(features, from), settings, 5, 8);
        EXPECT_EQ(rows.features.values, rounded(expected, to).values);
        EXPECT_EQ(rows.target.values, reference::batch_rows(targets, settings, 5, 8).values);
      }
    }
  }
}

TEST_F(Batch, SharesMakeTheWholeBatch) {
  const Table features = random_table(127, 33, 1);
  const Table targets = random_table(127, 1, 2);
  constexpr std::uint32_t global_batch = 60;
  constexpr std::uint32_t step = 2;  // this batch reaches over the end of the first epoch
  const BatchSource whole = source_of(5, global_batch, 0);
  const Rows expected = load(features, targets, whole, step, global_batch, Padding::to_16_bytes);
  for (const std::uint32_t ranks : {2u, 3u, 4u}) {
    Rows joined;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t share = global_batch / ranks;
      BatchSource part = whole;
      part.first_sample = rank * share;
      const Rows rows = load(features, targets, part, step, share, Padding::to_16_bytes);
      joined.features.values.insert(joined.features.values.end(), rows.features.values.begin(),
                                    rows.features.values.end());
      joined.target.values.insert(joined.target.values.end(), rows.target.values.begin(),
                                  rows.target.values.end());
    }
    EXPECT_EQ(joined.features.values, expected.features.values) << ranks << " ranks";
    EXPECT_EQ(joined.target.values, expected.target.values) << ranks << " ranks";
  }
}

TEST_F(Batch, OneEpochOfBatchesIsEverySampleOnce) {
  constexpr std::int64_t samples = 128;
  Table features(samples, 1);
  for (std::int64_t sample = 0; sample < samples; ++sample)
    features.at(sample, 0) = static_cast<double>(sample);
  std::vector<int> seen(samples, 0);
  for (std::uint32_t step = 0; step < 4; ++step) {
    const BatchSource settings = source_of(3, 32, 0);
    const Rows rows = load(features, features, settings, step, 32, Padding::none);
    EXPECT_EQ(rows.features.values, rows.target.values);  // features and targets of one sample stay together
    for (const double sample : rows.features.values) ++seen.at(static_cast<std::size_t>(sample));
  }
  EXPECT_EQ(seen, std::vector<int>(samples, 1));
}

TEST_F(Batch, StagedRowsAreTheHalfOfTheStep) {
  for (const Extent& extent : extents()) {
    SCOPED_TRACE(extent);
    const Table features = random_table(2 * extent.rows, extent.cols, 1);
    const Table targets = random_table(2 * extent.rows, 2, 2);
    BatchSource settings = source_of(77, 3 * extent.rows, 4);
    settings.staged = true;
    for (const std::uint32_t step : {0u, 1u, 6u, 7u}) {
      const Rows rows = load(features, targets, settings, step, extent.rows, extent.padding);
      const auto half = [&](const Table& table) {
        const auto first = table.values.begin() + step % 2 * extent.rows * table.cols;
        return std::vector<double>(first, first + extent.rows * table.cols);
      };
      EXPECT_EQ(rows.features.values, half(features)) << "step " << step;
      EXPECT_EQ(rows.target.values, half(targets)) << "step " << step;
    }
  }
}

// Resident or staged, the rows from one on are those of the whole part of the batch.
TEST_F(Batch, PartsOfTheRowsMakeTheWhole) {
  const Table features = random_table(2 * 24, 33, 1);
  const Table targets = random_table(2 * 24, 2, 2);
  const DeviceMatrix all_features(device(), stream(), features, Padding::to_16_bytes);
  const DeviceMatrix all_targets(device(), stream(), targets, Padding::to_16_bytes);
  for (const bool staged : {false, true}) {
    BatchSource source = source_of(77, 30, 4);
    source.staged = staged;
    source.features = all_features.view();
    source.targets = all_targets.view();
    for (const std::uint32_t step : {4u, 7u}) {
      const Rows whole = load(features, targets, source, step, 24, Padding::to_16_bytes);
      const DeviceArray<StepState> state = state_at(device(), stream(), step);
      for (const std::uint32_t first : {0u, 8u, 16u}) {
        const DeviceMatrix batch(device(), stream(), Table(8, 33), Padding::to_16_bytes);
        const DeviceMatrix target(device(), stream(), Table(8, 2), Padding::to_16_bytes);
        device().load_batch(rows_from(source, first), state.data(), batch.view(), target.view(), stream());
        EXPECT_EQ(batch.download().values, some_rows(whole.features, first, 8).values) << first;
        EXPECT_EQ(target.download().values, some_rows(whole.target, first, 8).values) << first;
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
