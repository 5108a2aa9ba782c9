// SPDX-License-Identifier: Apache-2.0
// One-bit gradient compression: signs, and the mean of each sign in each row (Seide et al., "1-Bit Stochastic
// Gradient Descent", Interspeech 2014, section 3.2; their column of a unit's weights is a row of W[out,in]).
#include <array>

#include "kernels/host/host_device.h"

namespace breakeven {
namespace {

// The means of the values >= 0 and of the others; 0 if there are none.
std::array<float, 2> means_of(const float* values, std::int64_t cols) {
  std::array<double, 2> sums{};
  std::array<std::int64_t, 2> counts{};
  for (std::int64_t col = 0; col < cols; ++col) {
    const std::size_t side = values[col] >= 0 ? 0 : 1;
    sums[side] += values[col];
    counts[side] += 1;
  }
  std::array<float, 2> means{};
  for (std::size_t side = 0; side < 2; ++side) {
    if (counts[side] > 0) means[side] = static_cast<float>(sums[side] / static_cast<double>(counts[side]));
  }
  return means;
}

}  // namespace

void HostDevice::encode_onebit(Matrix values, float* means, std::uint32_t* words, Stream& /*stream*/) {
  for (std::int64_t row = 0; row < values.rows; ++row) {
    float* const of_row = values.floats() + row * values.ld;
    std::uint32_t* const words_of_row = words + row * sign_words(values.cols);
    const auto [positive, negative] = means_of(of_row, values.cols);
    means[2 * row] = positive;
    means[2 * row + 1] = negative;
    for (std::int64_t word = 0; word < sign_words(values.cols); ++word) words_of_row[word] = 0;
    for (std::int64_t col = 0; col < values.cols; ++col) {
      const bool is_positive = of_row[col] >= 0;
      words_of_row[col / 32] |= std::uint32_t{is_positive} << (col % 32);
      of_row[col] -= is_positive ? positive : negative;
    }
  }
}

void HostDevice::sum_onebit(const Messages& means, const Messages& words, Matrix sum, Stream& /*stream*/) {
  for (std::int64_t row = 0; row < sum.rows; ++row) {
    for (std::int64_t col = 0; col < sum.cols; ++col) {
      float total = 0;
      for (int rank = 0; rank < means.ranks; ++rank) {
        const auto* const words_of_rank = reinterpret_cast<const std::uint32_t*>(words.of(rank));
        const std::uint32_t word = words_of_rank[row * sign_words(sum.cols) + col / 32];
        const bool is_positive = (word >> (col % 32) & 1u) != 0;
        total += means.of(rank)[2 * row + (is_positive ? 0 : 1)];
      }
      sum.floats()[row * sum.ld + col] = total;
    }
  }
}

}  // namespace breakeven
