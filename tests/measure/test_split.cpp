// SPDX-License-Identifier: Apache-2.0
// Pieces cover a matrix without gap or overlap whatever the sizes; a mesh uses every rank once.
#include "src/bench/matmul/split.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace breakeven {
namespace {

TEST(Split, PiecesAreConsecutiveAndDifferByOneAtMost) {
  for (const std::int64_t total : {0, 1, 2, 7, 64, 1001}) {
    for (const int pieces : {1, 2, 3, 4, 8, 13}) {
      std::int64_t next = 0;
      for (int number = 0; number < pieces; ++number) {
        const bench::Piece piece = bench::piece_of(total, pieces, number);
        EXPECT_EQ(piece.first, next) << total << " in " << pieces;
        EXPECT_GE(piece.count, total / pieces);
        EXPECT_LE(piece.count, (total + pieces - 1) / pieces);
        EXPECT_LE(piece.count, bench::piece_of(total, pieces, 0).count);
        next = piece.first + piece.count;
      }
      EXPECT_EQ(next, total);
    }
  }
}

TEST(Split, ByHand) {
  EXPECT_EQ(bench::piece_of(10, 3, 0), (bench::Piece{0, 4}));
  EXPECT_EQ(bench::piece_of(10, 3, 1), (bench::Piece{4, 3}));
  EXPECT_EQ(bench::piece_of(10, 3, 2), (bench::Piece{7, 3}));
  EXPECT_EQ(bench::piece_of(2, 4, 1), (bench::Piece{1, 1}));
  EXPECT_EQ(bench::piece_of(2, 4, 3), (bench::Piece{2, 0}));
  EXPECT_EQ(bench::piece_of(bench::Piece{4, 3}, 2, 0), (bench::Piece{4, 2}));
  EXPECT_EQ(bench::piece_of(bench::Piece{4, 3}, 2, 1), (bench::Piece{6, 1}));
}

TEST(Mesh, IsAsSquareAsTheRanksAllow) {
  const std::vector<std::pair<int, bench::Mesh>> meshes{{1, {1, 1}}, {2, {1, 2}}, {3, {1, 3}},  {4, {2, 2}},
                                                        {6, {2, 3}}, {8, {2, 4}}, {12, {3, 4}}, {16, {4, 4}}};
  for (const auto& [ranks, mesh] : meshes) EXPECT_EQ(bench::mesh_of(ranks), mesh) << ranks;
}

TEST(Mesh, EveryRankHasItsOwnPlace) {
  for (int ranks = 1; ranks <= 16; ++ranks) {
    const bench::Mesh mesh = bench::mesh_of(ranks);
    std::set<std::pair<int, int>> places;
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_LT(mesh.row_of(rank), mesh.rows);
      EXPECT_LT(mesh.col_of(rank), mesh.cols);
      places.insert({mesh.row_of(rank), mesh.col_of(rank)});
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(ranks));
  }
}

TEST(Rows, AreAViewOfTheSameMemory) {
  std::vector<std::uint16_t> values(6 * 16);
  const Matrix whole{values.data(), 6, 11, 16, Dtype::bf16};
  const Matrix rows = bench::rows_of(whole, {2, 3});
  EXPECT_EQ(rows.data, values.data() + 2 * 16);
  EXPECT_EQ(rows.rows, 3);
  EXPECT_EQ(rows.cols, 11);
  EXPECT_EQ(bench::bytes_in(rows), 3u * 16 * 2);
  EXPECT_EQ(bench::floats_in(rows), 3u * 8);
}

}  // namespace
}  // namespace breakeven
