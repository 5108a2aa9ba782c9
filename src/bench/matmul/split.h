// SPDX-License-Identifier: Apache-2.0
// How a matrix is cut into pieces, and how ranks form a mesh. Sizes need not be divisible.
#pragma once

#include <cstdint>

#include "src/core/matrix.h"

namespace breakeven::bench {

// A range of rows, columns or places along k.
struct Piece {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const Piece&) const = default;
};

// Piece `number` of `pieces`. The counts differ by at most one, larger ones first. Some pieces are empty if
// there are more pieces than places.
Piece piece_of(std::int64_t total, int pieces, int number);

// The same within a piece.
Piece piece_of(const Piece& whole, int pieces, int number);

// Rank r is in row r / cols and column r % cols.
struct Mesh {
  int rows = 1;
  int cols = 1;
  int row_of(int rank) const { return rank / cols; }
  int col_of(int rank) const { return rank % cols; }
  bool operator==(const Mesh&) const = default;
};

// As square as the number of ranks allows, with no more rows than columns: 1 x 2 for 2 ranks, 2 x 2 for 4.
Mesh mesh_of(int ranks);

// A view of some rows of a Matrix or ConstMatrix.
template <typename AnyMatrix>
AnyMatrix rows_of(const AnyMatrix& whole, const Piece& piece) {
  AnyMatrix part = whole;
  part.rows = piece.count;
  part.data = whole.template as<char>() + piece.first * whole.ld * bytes_of(whole.dtype);
  return part;
}

// Bytes from the first row to behind the last, padding included.
inline std::size_t bytes_in(const ConstMatrix& matrix) {
  return static_cast<std::size_t>(matrix.rows * matrix.ld * bytes_of(matrix.dtype));
}

// Communicators count floats. Rows are padded to 16 bytes, so the division is exact.
inline std::size_t floats_in(const ConstMatrix& matrix) { return bytes_in(matrix) / sizeof(float); }

}  // namespace breakeven::bench
