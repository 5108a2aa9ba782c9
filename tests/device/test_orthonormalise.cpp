// SPDX-License-Identifier: Apache-2.0
// Orthonormal rows: what they must be, that they span what was given, and what becomes of rows without a
// direction of their own.
#include <limits>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

double dot(const Table& a, std::int64_t row_a, const Table& b, std::int64_t row_b) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.cols; ++i) sum += a.at(row_a, i) * b.at(row_b, i);
  return sum;
}

void expect_orthonormal(const Table& rows) {
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      EXPECT_TRUE(near(dot(rows, i, rows, j), i == j ? 1 : 0, 1e-5)) << "rows " << i << " and " << j;
    }
  }
}

class Orthonormalise : public DeviceTest {
 protected:
  static Table of(const Table& given) {
    const DeviceMatrix matrix(device(), stream(), given, Padding::to_16_bytes);
    const Matrix view = matrix.view();
    device().orthonormalise_rows({&view, 1}, stream());
    return matrix.download();
  }
};

// Row i of the process is row i of the input without its parts along the rows before it, divided by its norm.
TEST_F(Orthonormalise, IsTheGramSchmidtProcess) {
  for (const std::int64_t rows : {1, 2, 4, 8}) {
    for (const std::int64_t cols : {8, 31, 129, 799, 5000}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols);
      const Table given = random_table(rows, cols, 1);
      const Table result = of(given);
      expect_orthonormal(result);
      Table expected = given;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < i; ++j) {
          const double share = dot(expected, i, expected, j);
          for (std::int64_t c = 0; c < cols; ++c) expected.at(i, c) -= share * expected.at(j, c);
        }
        const double norm = std::sqrt(dot(expected, i, expected, i));
        for (std::int64_t c = 0; c < cols; ++c) expected.at(i, c) /= norm;
      }
      EXPECT_TRUE(near(result.values, expected.values, 1e-5));
    }
  }
}

TEST_F(Orthonormalise, TakesManyMatrices) {
  std::vector<DeviceMatrix> all;
  std::vector<Matrix> views;
  for (std::uint32_t i = 0; i < 19; ++i) {
    all.emplace_back(device(), stream(), random_table(3, 40 + i, i), Padding::to_16_bytes);
    views.push_back(all.back().view());
  }
  device().orthonormalise_rows(views, stream());
  for (const DeviceMatrix& matrix : all) expect_orthonormal(matrix.download());
}

// Equal rows leave nothing but rounding, rows of zeros not even that.
TEST_F(Orthonormalise, RowsOfNothingBecomeUnitVectors) {
  expect_orthonormal(of(Table(4, 4)));
  EXPECT_EQ(of(Table(2, 5)).values, (std::vector<double>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  Table equal = random_table(4, 129, 1);
  for (std::int64_t col = 0; col < 129; ++col) {
    for (std::int64_t row = 1; row < 4; ++row) equal.at(row, col) = equal.at(0, col) * (row + 1.5);
  }
  expect_orthonormal(of(equal));
  Table units(3, 40);  // the first two are e_0 and e_1 already: the third becomes e_2
  units.at(0, 0) = 5;
  units.at(1, 1) = -3;
  const Table result = of(units);
  expect_orthonormal(result);
  EXPECT_EQ(result.at(2, 2), 1);
}

TEST_F(Orthonormalise, NonFiniteValuesStay) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const std::int64_t row : {0, 1, 3}) {
      Table given = random_table(4, 33, 1);
      given.at(row, 20) = bad;
      const Table result = of(given);
      for (std::int64_t after = row; after < 4; ++after) {
        EXPECT_FALSE(std::isfinite(result.at(after, 20))) << bad << " in " << row << ", row " << after;
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
