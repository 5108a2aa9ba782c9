// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/host/rows.h"
#include "src/bench/kernels/exact_sample.h"
#include "src/bench/matmul/split.h"

namespace breakeven::bench {

double relative_error(std::span<const ErrorSums> ranks, double elements) {
  ErrorSums all;
  for (const ErrorSums& sums : ranks) {
    all.squared_error += sums.squared_error;
    all.squared_size += sums.squared_size;
    all.elements += sums.elements;
  }
  if (all.elements != elements) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(all.squared_error / all.squared_size);
}

Problem::Problem(Device& device, Stream& stream, std::int64_t size, Precision precision, std::uint64_t seed)
    : device_(device),
      task_{GemmLayout::nt, {size, size, size}, true},
      precision_(precision),
      operands_(device, stream, task_, std::array{precision}, 0),
      reference_(static_cast<std::size_t>(size * size)) {
  operands_.randomize(seed);
  operands_.clear_result();
  const Candidate candidate{precision, {.kernel = device.gemm_kernels(precision).front()}};
  const Product whole = operands_.product(candidate, 0);
  device.gemm(whole, stream);

  ExactSample sample(task_, seed);
  const auto found = operands_.read_rows(candidate, sample.rows());
  reference_error_ = sample.error_of(found, whole.c.dtype, false);

  host_ = Buffer(device, bytes_in(whole.c), true, "a product, to be checked");
  device.copy(host_.as<char>(), whole.c.data, bytes_in(whole.c), stream);
  stream.synchronize();
  const ConstMatrix c{host_.as<char>(), size, size, whole.c.ld, whole.c.dtype};
  RowBuffer buffer;
  for (std::int64_t row = 0; row < size; ++row)
    std::copy_n(read_row(c, row, buffer), size, reference_.begin() + row * size);
}

Product Problem::product(GemmKernel kernel) const {
  return operands_.product({precision_, {.kernel = kernel}}, 0);
}

double Problem::error_limit() const { return bench::error_limit(precision_, task_.shape.k); }

ErrorSums Problem::compare(const ResultBlock& block, Stream& stream) const {
  const Matrix& c = block.c;
  device_.copy(host_.as<char>(), c.data, bytes_in(c), stream);
  stream.synchronize();
  const ConstMatrix found{host_.as<char>(), c.rows, c.cols, c.ld, c.dtype};
  ErrorSums sums;
  RowBuffer buffer;
  for (std::int64_t row = 0; row < c.rows; ++row) {
    const float* values = read_row(found, row, buffer);
    const float* expected = reference_.data() + (block.first_row + row) * size() + block.first_col;
    for (std::int64_t col = 0; col < c.cols; ++col) {
      const double off = static_cast<double>(values[col]) - expected[col];
      sums.squared_error += off * off;
      sums.squared_size += static_cast<double>(expected[col]) * expected[col];
    }
  }
  sums.elements = static_cast<double>(c.rows * c.cols);
  return sums;
}

}  // namespace breakeven::bench
