// SPDX-License-Identifier: Apache-2.0
// The table of variables, and the checksum over the numbers that it names.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "src/hdf5/checksums.h"
#include "src/hdf5/records.h"

namespace breakeven {
namespace {

TEST(Schema, NamesAreUniqueAndEveryDimensionHasItsCoordinate) {
  std::set<std::string_view> names;
  std::set<std::string_view> coordinates;
  for (const hdf5::Variable& variable : hdf5::variables()) {
    EXPECT_TRUE(names.insert(variable.name).second) << variable.name;
    EXPECT_FALSE(variable.long_name.empty()) << variable.name;
    if (variable.is_coordinate()) coordinates.insert(variable.name);
    EXPECT_TRUE(variable.columns.empty() || variable.dimensions.back() == hdf5::Dimension::step);
  }
  EXPECT_EQ(coordinates,
            (std::set<std::string_view>(hdf5::dimension_names.begin(), hdf5::dimension_names.end())));
}

// The members of the rows fill the record, but for the number of steps and what aligns the next member.
TEST(Schema, EveryNumberOfARecordIsStored) {
  RunRecord record(2);
  double stored = 0;
  std::size_t bytes = sizeof(double);
  for (const hdf5::Variable& variable : hdf5::variables()) {
    if (!variable.is_measured()) continue;
    for (double& value : hdf5::values_of(record, variable)) value = ++stored;
    const bool is_list = std::holds_alternative<std::vector<double> RunRecord::*>(variable.source);
    bytes += variable.is_checksum() ? 0 : is_list ? sizeof(std::vector<double>) : sizeof(double);
  }
  EXPECT_EQ(bytes, sizeof(RunRecord));
  EXPECT_EQ(record.at(1, Phase::step), 2.0 * phase_count);
  EXPECT_EQ(record.telemetry.device_memory_bytes, stored);
}

TEST(Checksum, KnowsEveryBitOfEveryNumber) {
  const RunRecord plain(1);
  for (const hdf5::Variable& variable : hdf5::variables())
    for (std::size_t i = 0; i < hdf5::values_of(plain, variable).size(); ++i)
      for (int bit = 0; bit < 64; bit += 7) {
        RunRecord changed = plain;
        double& value = hdf5::values_of(changed, variable)[i];
        value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ std::uint64_t{1} << bit);
        EXPECT_NE(hdf5::checksum_of(changed), hdf5::checksum_of(plain)) << variable.name << " bit " << bit;
      }
}

TEST(Checksum, IsFnv1a) {
  // By hand: no steps, so the single numbers alone, all of them zero.
  RunRecord record(0);
  std::size_t bytes = 0;
  for (const hdf5::Variable& variable : hdf5::variables())
    for (double& value : hdf5::values_of(record, variable)) {
      value = 0;
      bytes += sizeof value;
    }
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (std::size_t i = 0; i < bytes; ++i) hash *= 0x100000001B3u;
  EXPECT_EQ(hdf5::checksum_of(record), hash);
}

}  // namespace
}  // namespace breakeven
