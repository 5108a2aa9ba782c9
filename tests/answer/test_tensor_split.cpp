// SPDX-License-Identifier: Apache-2.0
// A model's widths divided among ranks: every unit once, in groups of 8, and refused where there are too few.
#include <gtest/gtest.h>

#include "src/core/strategy/tensor.h"

namespace breakeven {
namespace {

TEST(TensorSplit, EveryUnitIsOnOneRank) {
  for (const std::uint32_t width : {8u, 31u, 32u, 45u, 1024u}) {
    for (int ranks = 1; ranks <= 4 && ranks <= static_cast<int>((width + 7) / 8); ++ranks) {
      std::uint32_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const UnitRange units = units_of_rank(width, rank, ranks);
        EXPECT_EQ(units.first, next) << width << " on " << ranks;
        EXPECT_EQ(units.first % 8, 0u);
        EXPECT_GT(units.count, 0u);
        next += units.count;
      }
      EXPECT_EQ(next, width);
    }
  }
}

TEST(TensorSplit, LastLayersInputsAreDividedAndEverySecondWidth) {
  MlpSettings whole;
  whole.shape = {"", {40, 48, 56, 64, 5}, 0};
  const MlpSettings part = tensor_part_of(whole, 1, 2);
  EXPECT_EQ(part.shape.widths, (std::vector<std::uint32_t>{40, 24, 56, 32, 5}));
  EXPECT_EQ(part.place.first_units, (std::vector<std::uint32_t>{0, 24, 0, 32, 0}));
  EXPECT_EQ(part.place.whole_widths, whole.shape.widths);
  whole.shape.widths = {40, 48, 56, 5};
  EXPECT_EQ(tensor_part_of(whole, 0, 2).shape.widths, (std::vector<std::uint32_t>{16, 48, 24, 5}));
}

TEST(TensorSplit, AWidthOfTooFewUnitsIsRefusedWithWhatIsLegal) {
  const ModelShape shape{"", {37, 31, 19, 5}, 0};
  EXPECT_EQ(tensor_split_refusal(shape, 3), "");
  EXPECT_EQ(tensor_split_refusal(shape, 4),
            "width 19 is split in groups of 8 units, so over at most 3 ranks, not 4");
}

}  // namespace
}  // namespace breakeven
