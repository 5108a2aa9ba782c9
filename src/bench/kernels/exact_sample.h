// SPDX-License-Identifier: Apache-2.0
// A few elements of a product in float64, computed on the host from the random numbers themselves, so that no
// device takes part in its own check.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/bench/kernels/gemm_task.h"
#include "src/core/precision.h"

namespace breakeven::bench {

// The largest error that a kernel may have: a relative Frobenius norm over the sampled elements
// (core/precision.h).
double error_limit(Precision precision, std::int64_t k);
bool is_right(double error, double limit);  // NaN is not

class ExactSample {
 public:
  // Samples the first, the last, and random rows and columns of C. `seed` is that of the operands.
  ExactSample(const GemmTask& task, std::uint64_t seed);

  std::span<const std::int64_t> rows() const { return rows_; }

  // || found - exact || / || exact || over the sampled columns of `found`, which holds the sampled rows. The
  // exact product is that of the operands as `dtype` stores them; `fused` adds the bias and applies the ReLU.
  double error_of(const std::vector<std::vector<float>>& found, Dtype dtype, bool fused);

 private:
  const std::vector<double>& products(Dtype dtype);

  GemmTask task_;
  std::uint64_t seed_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> cols_;
  std::vector<double> products_[3];  // by Dtype, [row][column]; made when first asked for
};

}  // namespace breakeven::bench
