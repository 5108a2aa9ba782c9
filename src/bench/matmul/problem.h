// SPDX-License-Identifier: Apache-2.0
// One product of two square matrices, whole on every rank, with its result on one device: what each form
// starts from, and what it is checked against.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "src/bench/kernels/operands.h"

namespace breakeven {

// What of C a rank holds after a product; no rows where it holds nothing.
struct ResultBlock {
  Matrix c;
  std::int64_t first_row = 0;
  std::int64_t first_col = 0;
};

// Of one rank's block, in double.
struct ErrorSums {
  double squared_error = 0;
  double squared_size = 0;
  double elements = 0;
};

// || found - reference || / || reference || over all ranks' blocks (Frobenius). NaN where they do not make up
// `elements`, or where any element is NaN.
double relative_error(std::span<const ErrorSums> ranks, double elements);

// C[size,size] = A B with B stored transposed, as a layer's weight is (layout nt). The same random numbers on
// every rank, so that nothing is sent before a form is timed.
class Problem {
 public:
  // Computes the reference by the device's default kernel for the precision.
  Problem(Device& device, Stream& stream, std::int64_t size, Precision precision, std::uint64_t seed);

  Device& device() const { return device_; }
  std::int64_t size() const { return task_.shape.m; }
  Precision precision() const { return precision_; }
  Product product(GemmKernel kernel) const;  // of this rank's whole A, B and C

  // Of the reference, against float64 on sampled elements.
  double reference_error() const { return reference_error_; }
  double error_limit() const;

  // Waits for the stream.
  ErrorSums compare(const ResultBlock& block, Stream& stream) const;

 private:
  Device& device_;
  GemmTask task_;
  Precision precision_;
  Operands operands_;
  Buffer host_;                   // room for a result
  std::vector<float> reference_;  // [size, size]
  double reference_error_ = 0;
};

}  // namespace breakeven
