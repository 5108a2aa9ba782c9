// SPDX-License-Identifier: Apache-2.0
// The operations of gradient compression: codes that are exchanged in the place of a gradient's floats.
//
// An encoding leaves in `values` what its code leaves out (values - decoded), for error feedback to add to
// the next gradient. A sum of decoded messages is made in rank order, and so is the same bits on every rank.
// What is not finite is not finite once decoded: all of its int8 block, one of the signs of its row, itself
// in all other codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/core/compression/packing.h"
#include "src/core/matrix.h"

namespace breakeven {

class Stream;

// One message a rank, as an all-gather leaves them: that of rank r begins at first + r * floats.
struct Messages {
  const float* first = nullptr;
  std::size_t floats = 0;
  int ranks = 0;

  HOST_DEVICE const float* of(int rank) const { return first + static_cast<std::size_t>(rank) * floats; }
};

class GradientCompression {
 public:
  virtual ~GradientCompression() = default;

  // *found = 1 if any of the values is not finite, else it stays.
  virtual void find_not_finite(ConstMatrix values, std::uint32_t* found, Stream& stream) = 0;
  // to = from, `count` floats, unless *flag is set.
  virtual void copy_unless(const std::uint32_t* flag, std::size_t count, const float* from, float* to,
                           Stream& stream) = 0;

  // Messages of floats as they are.
  virtual void sum_values(std::size_t count, const Messages& messages, float* sum, Stream& stream) = 0;

  // 16 bits a value, rounded to nearest even.
  virtual void encode_half(std::size_t count, float* values, void* codes, Dtype dtype, Stream& stream) = 0;
  virtual void widen(std::size_t count, const void* codes, Dtype dtype, float* values, Stream& stream) = 0;

  // 8 bits a value and a scale a block (int8_compression.h).
  virtual void encode_int8(std::size_t count, float* values, float* message, Stream& stream) = 0;
  virtual void sum_int8(std::size_t count, const Messages& messages, float* sum, Stream& stream) = 0;

  // The `chosen` values of the largest magnitude, of equal ones those that come first; NaN is larger than
  // all. The message: their places as 32-bit numbers, ascending, then their values. 1 <= chosen <= count <
  // 2^32.
  virtual void encode_topk(std::size_t count, std::size_t chosen, float* values, float* message,
                           Stream& stream) = 0;
  virtual void sum_topk(std::size_t count, std::size_t chosen, const Messages& messages, float* sum,
                        Stream& stream) = 0;

  // A bit a value and two means a row: bit c % 32 of word [row, c / 32] is 1 where values[row, c] >= 0, which
  // decodes to means[row, 0], the mean of those; else to means[row, 1]. Padding is not touched.
  virtual void encode_onebit(Matrix values, float* means, std::uint32_t* words, Stream& stream) = 0;
  // `means` and `words` begin where rank 0 has them for this matrix.
  virtual void sum_onebit(const Messages& means, const Messages& words, Matrix sum, Stream& stream) = 0;

  // The rows of each matrix made orthonormal by the modified Gram-Schmidt process (orthonormal.h); fp32, at
  // most as many rows as columns.
  virtual void orthonormalise_rows(std::span<const Matrix> matrices, Stream& stream) = 0;
};

}  // namespace breakeven
