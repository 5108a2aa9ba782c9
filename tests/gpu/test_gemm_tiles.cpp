// SPDX-License-Identifier: Apache-2.0
// The tiled product with every tile and every split of k, whatever a GPU of this size would choose: sizes
// around each edge, all layouts, aligned and not. The operands are small whole numbers, so that every element
// must be exact.
#include <cmath>
#include <limits>
#include <tuple>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/gemm/tiled.h"
#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

constexpr GemmPlan plans[] = {
    {GemmTile::small, 1},  {GemmTile::small, 3}, {GemmTile::medium, 1},
    {GemmTile::medium, 2}, {GemmTile::large, 1}, {GemmTile::large, 8},
};

std::string name_of(const GemmPlan& plan) {
  return "tile " + std::to_string(static_cast<int>(plan.tile)) + " in " + std::to_string(plan.split_k) +
         " parts";
}

// To both sides of a quad, of a step of k and of a tile of 32, 64 and 128.
constexpr std::int64_t edge_sizes[] = {1, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};
constexpr std::size_t edges = std::size(edge_sizes);

Table whole_numbers(std::int64_t rows, std::int64_t cols, std::uint32_t salt) {
  Table table = random_table(rows, cols, salt);
  for (double& value : table.values) value = std::floor(value * 2.5 + 0.5);
  return table;
}

class GemmTiles : public DeviceTest {
 protected:
  struct Operands {
    Table a;
    Table b;
  };

  static Operands operands(GemmLayout layout, std::int64_t m, std::int64_t n, std::int64_t k) {
    return {layout == GemmLayout::tn ? whole_numbers(k, m, 1) : whole_numbers(m, k, 1),
            layout == GemmLayout::nt ? whole_numbers(n, k, 2) : whole_numbers(k, n, 2)};
  }

  static void expect_exact(GemmLayout layout, std::int64_t m, std::int64_t n, std::int64_t k,
                           Padding padding) {
    const Operands in = operands(layout, m, n, k);
    const Table expected = reference::gemm(layout, in.a, in.b).c;
    const DeviceMatrix a(device(), stream(), in.a, padding);
    const DeviceMatrix b(device(), stream(), in.b, padding);
    for (const GemmPlan& plan : plans) {
      SCOPED_TRACE("layout " + std::to_string(static_cast<int>(layout)) + " " + name_of(plan) + " m " +
                   std::to_string(m) + " n " + std::to_string(n) + " k " + std::to_string(k) +
                   " padding kind " + std::to_string(static_cast<int>(padding)));
      const DeviceMatrix c(device(), stream(), Table(m, n, std::numeric_limits<double>::quiet_NaN()),
                           padding);
      gemm_tiled(layout, plan, a.view(), b.view(), c.view(), dynamic_cast<CudaStream&>(stream()));
      ASSERT_TRUE(near(c.download().values, expected.values, 0.0));
    }
  }
};

// A test for each, because racecheck takes minutes for one.
class GemmTilesAtEdges : public GemmTiles,
                         public testing::WithParamInterface<std::tuple<GemmLayout, std::int64_t>> {};

// Every pair of edge sizes is m and n; k and the padding go round.
TEST_P(GemmTilesAtEdges, AreExact) {
  const auto [layout, m] = GetParam();
  std::size_t turn = static_cast<std::size_t>(layout) + static_cast<std::size_t>(m);
  for (const std::int64_t n : edge_sizes) {
    const std::int64_t k = edge_sizes[turn * 7 % edges];
    expect_exact(layout, m, n, k, paddings[turn++ % std::size(paddings)]);
  }
}

std::string name_of_edge(const testing::TestParamInfo<GemmTilesAtEdges::ParamType>& of) {
  const auto [layout, m] = of.param;
  return std::string(name_of(layout)) + "_" + std::to_string(m);
}

INSTANTIATE_TEST_SUITE_P(All, GemmTilesAtEdges,
                         testing::Combine(testing::ValuesIn(gemm_layouts), testing::ValuesIn(edge_sizes)),
                         name_of_edge);

TEST_F(GemmTiles, AreExactForEveryDepth) {
  std::size_t turn = 0;
  for (const GemmLayout layout : gemm_layouts) {
    for (std::int64_t k = 1; k <= 70; ++k)
      expect_exact(layout, 66, 34, k, paddings[turn++ % std::size(paddings)]);
  }
}

// Of many tiles, so that the place of a tile in the grid counts, and deep.
TEST_F(GemmTiles, AreExactOnManyTiles) {
  for (const GemmLayout layout : gemm_layouts) {
    for (const Padding padding : paddings) expect_exact(layout, 300, 517, 259, padding);
  }
}

// Views that begin one, two or three floats behind a 16-byte border, with a leading dimension that hides it.
TEST_F(GemmTiles, AreExactOffTheBorder) {
  for (const GemmLayout layout : gemm_layouts) {
    const Operands in = operands(layout, 65, 33, 17);
    const Table expected = reference::gemm(layout, in.a, in.b).c;
    const DeviceMatrix a(device(), stream(), in.a, Padding::to_16_bytes);
    const DeviceMatrix b(device(), stream(), in.b, Padding::to_16_bytes);
    for (const GemmPlan& plan : plans) {
      for (std::int64_t shift = 0; shift < 4; ++shift) {
        const std::int64_t ld = 36 + 4;
        const std::vector<float> before(static_cast<std::size_t>(shift + 65 * ld), 0.0f);
        const DeviceArray<float> memory(device(), stream(), before);
        gemm_tiled(layout, plan, a.view(), b.view(), {memory.data() + shift, 65, 33, ld},
                   dynamic_cast<CudaStream&>(stream()));
        const std::vector<float> after = memory.download();
        for (std::size_t i = 0; i < after.size(); ++i) {
          const std::int64_t place = static_cast<std::int64_t>(i) - shift;
          const bool inside = place >= 0 && place % ld < 33;
          ASSERT_EQ(after[i], inside ? expected.at(place / ld, place % ld) : 0.0)
              << "shift " << shift << " at " << i;
        }
      }
    }
  }
}

// The counters of a cut product are back at zero, and nothing of the product before is left in the sums.
TEST_F(GemmTiles, RepeatBitForBitWithKCut) {
  const Table a_table = random_table(130, 700, 5);
  const Table b_table = random_table(70, 700, 6);
  const DeviceMatrix a(device(), stream(), a_table, Padding::to_16_bytes);
  const DeviceMatrix b(device(), stream(), b_table, Padding::to_16_bytes);
  for (const GemmPlan& plan : {GemmPlan{GemmTile::small, 5}, GemmPlan{GemmTile::medium, 8}}) {
    std::vector<std::vector<double>> results;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const DeviceMatrix c(device(), stream(), Table(130, 70, -1.0), Padding::to_16_bytes);
      gemm_tiled(GemmLayout::nt, plan, a.view(), b.view(), c.view(), dynamic_cast<CudaStream&>(stream()));
      results.push_back(c.download().values);
      ASSERT_EQ(results.back(), results.front()) << name_of(plan) << ", repeat " << repeat;
    }
    const reference::Product expected = reference::gemm(GemmLayout::nt, a_table, b_table);
    EXPECT_TRUE(near(frobenius_error(results.front(), expected.c.values), 0, 1e-6));
  }
}

TEST_F(GemmTiles, ThePlanFillsTheGpu) {
  constexpr int h200 = 132;
  EXPECT_EQ(plan_gemm(1024, 4608, 128, h200), (GemmPlan{GemmTile::large, 1}));
  EXPECT_EQ(plan_gemm(1024, 1024, 128, h200), (GemmPlan{GemmTile::medium, 1}));
  EXPECT_EQ(plan_gemm(128, 1024, 4608, h200), (GemmPlan{GemmTile::medium, 8}));
  EXPECT_EQ(plan_gemm(16, 256, 799, h200), (GemmPlan{GemmTile::small, 6}));
  EXPECT_EQ(plan_gemm(1, 1, 1, h200), (GemmPlan{GemmTile::small, 1}));
  EXPECT_EQ(plan_gemm(1, 1, 1, 1), (GemmPlan{GemmTile::large, 1}));
}

}  // namespace
}  // namespace breakeven
