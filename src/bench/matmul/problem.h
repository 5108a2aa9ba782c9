// SPDX-License-Identifier: Apache-2.0
// One product of two square matrices, complete on every rank, with its result on one device. Each form starts
// from these operands and is checked against this result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/bench/kernels/operands.h"

namespace breakeven::bench {

// The block of C that a rank holds after a product. It has no rows if the rank holds nothing.
struct ResultBlock {
  Matrix c;
  std::int64_t first_row = 0;
  std::int64_t first_col = 0;
};

// Sums over one rank's block, in double.
struct ErrorSums {
  double squared_error = 0;
  double squared_size = 0;
  double elements = 0;
};

// || found - reference || / || reference || over all ranks' blocks (Frobenius). NaN if they do not have
// `elements` elements together, or if any element is NaN.
double relative_error(std::span<const ErrorSums> ranks, double elements);

// C[size,size] = A B with B stored transposed, like a layer's weight (layout nt). Every rank makes the same
// random numbers, so nothing is sent before a form is timed.
class Problem {
 public:
  // Computes the reference with the device's default kernel for the precision.
  Problem(Device& device, Stream& stream, std::int64_t size, Precision precision, std::uint64_t seed);

  Device& device() const { return device_; }
  std::int64_t size() const { return task_.shape.m; }
  Precision precision() const { return precision_; }
  Product product(GemmKernel kernel) const;  // of this rank's whole A, B and C

  // The error of the reference against float64, on sampled elements.
  double reference_error() const { return reference_error_; }
  double error_limit() const;

  // Waits for the stream.
  ErrorSums compare(const ResultBlock& block, Stream& stream) const;

 private:
  Device& device_;
  GemmTask task_;
  Precision precision_;
  Operands operands_;
  Buffer host_;                   // for a result
  std::vector<float> reference_;  // [size, size]
  double reference_error_ = 0;
};

}  // namespace breakeven::bench
