// SPDX-License-Identifier: Apache-2.0
// One-bit gradient compression: signs, and the mean of each sign in each row (Seide et al., "1-Bit Stochastic
// Gradient Descent", Interspeech 2014, section 3.2; their column of a unit's weights is a row of W[out,in]).
#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {
namespace {

constexpr int row_warps = 8;
constexpr int row_threads = 32 * row_warps;

// One block per row.
__global__ __launch_bounds__(row_threads) void encode_onebit_kernel(Matrix values, float* means,
                                                                    std::uint32_t* words) {
  const std::int64_t row = blockIdx.x;
  float* const of_row = values.floats() + row * values.ld;
  double positive_sum = 0;
  double negative_sum = 0;
  int positives = 0;
  for (std::int64_t col = threadIdx.x; col < values.cols; col += row_threads) {
    const float value = of_row[col];
    (value >= 0 ? positive_sum : negative_sum) += value;
    positives += value >= 0 ? 1 : 0;
  }
  positive_sum = block_reduce<row_warps>(positive_sum, Add{});
  negative_sum = block_reduce<row_warps>(negative_sum, Add{});
  positives = block_reduce<row_warps>(positives, Add{});
  const std::int64_t negatives = values.cols - positives;
  const float positive = positives > 0 ? static_cast<float>(positive_sum / positives) : 0.0f;
  const float negative =
      negatives > 0 ? static_cast<float>(negative_sum / static_cast<double>(negatives)) : 0.0f;
  if (threadIdx.x == 0) {
    means[2 * row] = positive;
    means[2 * row + 1] = negative;
  }
  std::uint32_t* const words_of_row = words + row * sign_words(values.cols);
  for (std::int64_t first = 0; first < values.cols; first += row_threads) {  // all lanes must vote
    const std::int64_t col = first + threadIdx.x;
    const float value = col < values.cols ? of_row[col] : -1.0f;
    const std::uint32_t word = __ballot_sync(0xFFFFFFFFu, value >= 0);
    if (col >= values.cols) continue;
    if (threadIdx.x % 32 == 0) words_of_row[col / 32] = word;
    of_row[col] = value - (value >= 0 ? positive : negative);
  }
}

__global__ __launch_bounds__(row_threads) void sum_onebit_kernel(Messages means, Messages words, Matrix sum) {
  const std::int64_t row = blockIdx.x;
  for (std::int64_t col = threadIdx.x; col < sum.cols; col += row_threads) {
    const std::int64_t place = row * sign_words(sum.cols) + col / 32;
    float total = 0;
    for (int rank = 0; rank < means.ranks; ++rank) {
      const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(words.of(rank))[place];
      const bool is_positive = (word >> (col % 32) & 1u) != 0;
      total += means.of(rank)[2 * row + (is_positive ? 0 : 1)];
    }
    sum.floats()[row * sum.ld + col] = total;
  }
}

}  // namespace

void CudaDevice::encode_onebit(Matrix values, float* means, std::uint32_t* words, Stream& stream) {
  if (values.rows == 0 || values.cols == 0) return;
  encode_onebit_kernel<<<static_cast<unsigned>(values.rows), row_threads, 0, cuda_stream(stream)>>>(
      values, means, words);
  CHECK_LAUNCH("encode_signs_kernel", values.rows, values.cols);
}

void CudaDevice::sum_onebit(const Messages& means, const Messages& words, Matrix sum, Stream& stream) {
  if (sum.rows == 0 || sum.cols == 0) return;
  sum_onebit_kernel<<<static_cast<unsigned>(sum.rows), row_threads, 0, cuda_stream(stream)>>>(means, words,
                                                                                              sum);
  CHECK_LAUNCH("sum_signs_kernel", sum.rows, sum.cols, means.ranks);
}

}  // namespace breakeven
