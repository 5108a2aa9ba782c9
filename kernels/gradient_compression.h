// SPDX-License-Identifier: Apache-2.0
// The operations of gradient compression: int8, one-bit (sign), top-k, 16-bit and low rank.
//
// Encoding leaves the error (values - decoded) in `values`, for error feedback to add to the next gradient.
// Decoded messages are summed in rank order, so all ranks get the same bits. A value that is not finite
// decodes to values that are not finite: its whole int8 block, one of the two means of its one-bit row,
// itself otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/core/compression/packing.h"
#include "src/core/matrix.h"

namespace breakeven {

class Stream;

// One message per rank, as an all-gather leaves them: rank r's begins at first + r * floats.
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

  // Uncompressed messages.
  virtual void sum_values(std::size_t count, const Messages& messages, float* sum, Stream& stream) = 0;

  // 16 bits per value, rounded to nearest even.
  virtual void encode_half(std::size_t count, float* values, void* codes, Dtype dtype, Stream& stream) = 0;
  virtual void widen(std::size_t count, const void* codes, Dtype dtype, float* values, Stream& stream) = 0;

  // 8 bits per value and one scale per block (int8_compression.h).
  virtual void encode_int8(std::size_t count, float* values, float* message, Stream& stream) = 0;
  virtual void sum_int8(std::size_t count, const Messages& messages, float* sum, Stream& stream) = 0;

  // The `chosen` values of largest magnitude; of equal ones the first; NaN is larger than all. The message
  // holds their indices as 32-bit numbers, ascending, then their values. 1 <= chosen <= count < 2^32.
  virtual void encode_topk(std::size_t count, std::size_t chosen, float* values, float* message,
                           Stream& stream) = 0;
  virtual void sum_topk(std::size_t count, std::size_t chosen, const Messages& messages, float* sum,
                        Stream& stream) = 0;

  // One bit per value and two means per row. Bit c % 32 of word [row, c / 32] is 1 if values[row, c] >= 0; it
  // decodes to means[row, 0], the mean of these values. Other bits decode to means[row, 1]. Padding is not
  // touched.
  virtual void encode_onebit(Matrix values, float* means, std::uint32_t* words, Stream& stream) = 0;
  // `means` and `words` begin at this matrix's place in rank 0's message.
  virtual void sum_onebit(const Messages& means, const Messages& words, Matrix sum, Stream& stream) = 0;

  // Makes the rows of each matrix orthonormal by the modified Gram-Schmidt process (orthonormal.h). fp32; at
  // most as many rows as columns.
  virtual void orthonormalise_rows(std::span<const Matrix> matrices, Stream& stream) = 0;
};

}  // namespace breakeven
